-- Copies of one session, its codes and its first event, most of them with a claim that was sent; each a second older.
WITH copy AS (
    INSERT INTO sessions_app_session (
        id, partner_id, provider_id, external_session_id, status, message, patient_first_name, patient_last_name,
        patient_search_name, patient_date_of_birth, patient_gender, patient_street, patient_line2, patient_city,
        patient_state, patient_zip, member_id, member_id_index, payer_name, payer_id, group_number,
        date_of_service, place_of_service, duration_minutes, version, request_id, created_at, updated_at)
    SELECT gen_random_uuid(), partner_id, provider_id, 'copy-' || number, 'accepted', message, patient_first_name,
        patient_last_name, patient_search_name, patient_date_of_birth, patient_gender, patient_street,
        patient_line2, patient_city, patient_state, patient_zip, member_id, member_id_index, payer_name,
        payer_id, group_number, date_of_service, place_of_service, duration_minutes, 1, '',
        created_at - number * interval '1 second', updated_at
    FROM sessions_app_session, generate_series(1, %(sessions)s) AS number
    WHERE sessions_app_session.id = %(id)s
    RETURNING id, partner_id, created_at
), code AS (
    INSERT INTO sessions_app_sessioncode
        (partner_id, session_id, kind, position, code, description, modifier, modifier_added, units, source)
    SELECT partner_id, id, 'diagnosis', 0, 'F41.1', '', '', false, 1, 'sent' FROM copy
), event AS (
    INSERT INTO sessions_app_sessionevent (partner_id, session_id, type, status, summary, timestamp)
    SELECT partner_id, id, kind, '', 'Something happened to this session.', created_at
    FROM copy, unnest(ARRAY['session.received', 'session.validated', 'claim.created', 'claim.submitted']) AS kind
)
INSERT INTO claims_claim (
    id, partner_id, session_id, version, frequency, step, window_ends_at, revision, attempts, status, mode, gateway,
    payer_control_number, built_at, submitted_at)
SELECT gen_random_uuid(), partner_id, id, 1, '1', 'follow', created_at, 1, 1, 'payer_accepted', 'test', 'sandbox',
    'P' || left(id::text, 8), created_at, created_at
FROM copy
