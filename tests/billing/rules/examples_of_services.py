"""A passing and a failing session for each rule about procedures, modifiers and place of service."""

from datetime import timedelta

from billing.rules.facts import (
    CodePair,
    CodeSource,
    Discrepancy,
    DiscrepancySeverity,
    NcciEdits,
    NoteOutcome,
    OtherClaimState,
    Table,
    TelehealthModifier,
)
from billing.rules.rule import Severity
from billing.rules.tables.note_words import DURATION
from tests.billing.rules.cast import (
    RIVAL_NPI,
    SEEN,
    Failing,
    example,
    line,
    lines,
    note,
    other,
    profile,
    telehealth,
)

W, R = Severity.WARN, Severity.REPAIR
CODES = "session.procedureCodes"
FIRST, SECOND, THIRD = (f"session.procedureCodes.{place}.code" for place in range(3))
MODIFIER = "session.procedureCodes.0.modifier"
NCCI = frozenset({Table.NCCI})
EDITS = NcciEdits((CodePair("90853", "96130", "0"), CodePair("90834", "96127", "1")), {"96127": 2})
A_YEAR, A_MONTH = timedelta(days=365), timedelta(days=30)


def lasting(minutes: int) -> dict[str, int]:
    return {"minutes": minutes}


def differing(kind: str, severity: DiscrepancySeverity = DiscrepancySeverity.BLOCK) -> Discrepancy:
    return Discrepancy(kind, severity)


OTHER_MINUTES = Discrepancy(DURATION, DiscrepancySeverity.WARN, supplied="60", found="45")


EXAMPLES = {
    "CPT-001": example(
        passing=(lines("90834"), lines("H0004"), lines("96130"), lines(session=lasting(10))),
        failing=(
            Failing(lines(), CODES),
            Failing(lines(note=note(NoteOutcome.NOT_BILLABLE, confirmed_by_staff=True)), CODES),
            Failing(lines("9083"), FIRST),
            Failing(lines("00001"), FIRST),
            Failing(lines("90801"), FIRST),
            Failing(lines("99354"), FIRST),
            Failing(lines("99241"), FIRST),
        ),
    ),
    "CPT-002": example(
        passing=(
            lines("90832", session=lasting(16)),
            lines("90834", session=lasting(52)),
            lines("90837", session=lasting(53)),
            lines("90837"),
            lines("99214", "90833", session=lasting(60)),
        ),
        failing=(
            Failing(lines("90837", session=lasting(52)), FIRST),
            Failing(lines("99214", "90836", session=lasting(20)), SECOND),
            Failing(lines("99214", "90838", session=lasting(52)), SECOND),
            Failing(lines("90837", note=note(minutes=40)), FIRST),
            Failing(lines("90837", note=note(discrepancies=(differing("cpt_time_mismatch"),))), FIRST),
            Failing(
                lines(
                    "90847",
                    note=note(
                        discrepancies=(Discrepancy("cpt_time_mismatch", DiscrepancySeverity.BLOCK, "90847"),)
                    ),
                ),
                FIRST,
            ),
            Failing(lines("90832", session=lasting(38)), FIRST, W),
        ),
    ),
    "CPT-003": example(
        passing=(lines("90832", session=lasting(16)), lines("90791", session=lasting(15))),
        failing=(
            Failing(lines(session=lasting(15)), CODES),
            Failing(lines("90832", session=lasting(15)), FIRST),
            Failing(lines("90845", session=lasting(10)), FIRST),
            Failing(lines("90849", session=lasting(5)), FIRST),
            Failing(lines("90853", session=lasting(10)), FIRST),
            Failing(lines(note=note(NoteOutcome.NOT_BILLABLE, reasons=("under_16",))), CODES),
            Failing(
                lines(note=note(NoteOutcome.NOT_BILLABLE, reasons=("under_16",), confirmed_by_staff=True)),
                CODES,
            ),
        ),
    ),
    "CPT-004": example(
        passing=(lines("90834"), lines(line("H0004", units=4))),
        failing=Failing(lines(line("90834", units=2)), FIRST),
    ),
    "CPT-005": example(
        passing=(
            lines("90834", other_claims=(other("90791"),)),
            lines("90834", other_claims=(other("90834", provider_npi=RIVAL_NPI),)),
            lines("90834", other_claims=(other("90834"),)),
            lines("90834", other_claims=(other("90832", state=OtherClaimState.REJECTED),)),
            lines("90834", other_claims=(other("90832", state=OtherClaimState.VOIDED),)),
            lines("90834", other_claims=(other("90832", date_of_service=SEEN - A_MONTH),)),
        ),
        failing=(
            Failing(lines("90832", "90834"), SECOND),
            Failing(lines("90834", other_claims=(other("90832"),)), FIRST),
        ),
    ),
    "CPT-006": example(
        passing=lines("99213", "90833"),
        failing=(
            Failing(lines("90833"), FIRST),
            Failing(lines("99213", "90833", "90847"), SECOND),
            Failing(lines("99213", "90833", other_claims=(other("90847"),)), SECOND),
            Failing(lines("90846", other_claims=(other("99213", "90833"),)), FIRST),
            Failing(lines("99213", "90834"), FIRST, W),
            Failing(lines("90837", other_claims=(other("99205"),)), FIRST, W),
            Failing(lines("99213", other_claims=(other("90832"),)), FIRST, W),
        ),
    ),
    "CPT-007": example(
        passing=(
            lines("90839", session=lasting(30)),
            lines("90839", session=lasting(74)),
            lines("90839", line("90840", units=2), session=lasting(105)),
        ),
        failing=(
            Failing(lines("90839", session=lasting(29)), FIRST),
            Failing(lines("90839", session=lasting(75)), FIRST, W),
            Failing(lines(line("90839", units=2)), FIRST),
            Failing(lines("90839", "90839"), SECOND),
            Failing(lines("90840"), FIRST),
            Failing(lines("90839", "90840", session=lasting(74)), SECOND),
            Failing(lines("90839", line("90840", units=2), session=lasting(104)), SECOND),
            Failing(lines("90839", "90840", line("90840", "59"), session=lasting(75)), THIRD),
        ),
    ),
    "CPT-008": example(
        passing=(lines("90847", session=lasting(26)), lines("90846")),
        failing=Failing(lines("90847", session=lasting(25)), FIRST),
    ),
    "CPT-009": example(
        passing=(lines("90834", "90785"), lines("90853", "90785")),
        failing=(
            Failing(lines("90785"), FIRST),
            Failing(lines("90847", "90785"), SECOND),
            Failing(lines("99213", "90785"), SECOND),
        ),
    ),
    "CPT-010": example(
        passing=(
            lines("90791"),
            lines("90791", other_claims=(other("90791", date_of_service=SEEN - A_YEAR),)),
            lines(
                "90791",
                other_claims=(
                    other(
                        "90791", date_of_service=SEEN - A_MONTH, provider_npi=RIVAL_NPI, same_practice=False
                    ),
                ),
            ),
        ),
        failing=(
            Failing(lines("90791", "90839"), FIRST),
            Failing(lines("99213", "90792"), SECOND),
            Failing(lines("90791", other_claims=(other("90792", date_of_service=SEEN - A_MONTH),)), FIRST, W),
            Failing(lines("90791", other_claims=(other("90839"),)), FIRST),
            Failing(lines("90839", other_claims=(other("90791"),)), FIRST),
            Failing(lines("90792", other_claims=(other("99213"),)), FIRST),
            Failing(lines("99213", other_claims=(other("90792"),)), FIRST),
            Failing(lines("90792", "90791"), FIRST, W),
            Failing(lines("90791", other_claims=(other("90792"),)), FIRST, W),
        ),
    ),
    "CPT-011": example(
        passing=(lines("90791"), lines("90791", other_claims=(other("90834", provider_npi=RIVAL_NPI),))),
        failing=(
            Failing(lines("90791", "90834"), FIRST, W),
            Failing(lines("90834", other_claims=(other("90791"),)), FIRST, W),
        ),
    ),
    "CPT-012": example(
        passing=(
            lines("90837", provider={"share_of_90837": 0.75}),
            lines("90834", provider={"share_of_90837": 0.9}),
        ),
        failing=Failing(lines("90837", provider={"share_of_90837": 0.9}), FIRST, W),
    ),
    "CPT-013": example(
        passing=(lines("96130", "96131"), lines("99215", "99417"), lines("99492", "99494")),
        failing=(
            Failing(lines("96131"), FIRST),
            Failing(lines("96136", "96139"), SECOND),
            Failing(lines("99417"), FIRST),
            Failing(lines("99494"), FIRST),
            Failing(lines("99214", "G2212"), SECOND),
        ),
    ),
    "CPT-014": example(
        passing=lines("90834", "90863"),
        failing=(Failing(lines("90863"), FIRST), Failing(lines("90834", "90863", "90839"), SECOND)),
    ),
    "CPT-015": example(
        passing=lines("90853"),
        failing=(
            Failing(lines(line("90853", units=2)), FIRST, W),
            Failing(lines("90849", "90849"), SECOND, W),
        ),
    ),
    "CPT-016": example(
        passing=(lines("96127"), lines("90887", profile=profile(pays_90887=True))),
        failing=(
            Failing(lines("90834", "90887"), SECOND, W),
            Failing(lines(line("96127", units=5)), FIRST, W),
            Failing(lines(line("96127", units=3), profile=profile(most_units_96127=2)), FIRST, W),
            Failing(lines("98966"), FIRST, W),
        ),
    ),
    "CPT-017": example(
        passing=lines("90834", "90785"), failing=Failing(lines("90834", "90785", "96127"), CODES, W)
    ),
    "CPT-018": example(
        passing=(
            lines("90837", session=lasting(120)),
            lines(line("H0004", units=4), session=lasting(60)),
            lines(line("H0004", units=4)),
            lines(line("H0004", units=4, source=CodeSource.STAFF), session=lasting(53)),
            lines("90839", line("90840", units=2), session=lasting(105)),
            lines("96130", "96131", session=lasting(150)),
            lines("96130", line("96131", units=2)),
            lines(line("H0004", source=CodeSource.STAFF)),
            lines("H0004", "H0038", session=lasting(22)),
            lines(
                line("H0004", units=4, source=CodeSource.STAFF),
                session=lasting(60),
                note=note(discrepancies=(OTHER_MINUTES,)),
            ),
        ),
        failing=(
            Failing(lines("H0004"), FIRST, W),
            Failing(lines("H0004", session=lasting(14)), FIRST),
            Failing(lines("H0004", "H0038", session=lasting(14)), SECOND),
            Failing(lines("H0004", "H0038", session=lasting(23)), SECOND, W),
            Failing(lines(line("H0004", units=4), session=lasting(59)), FIRST),
            Failing(lines(line("H0004", units=5, source=CodeSource.STAFF), session=lasting(60)), FIRST),
            Failing(
                lines(line("H0004", units=4), session=lasting(60), note=note(discrepancies=(OTHER_MINUTES,))),
                FIRST,
            ),
            Failing(lines(line("H0004", units=3), session=lasting(53)), FIRST, W),
            Failing(lines(line("H0004", source=CodeSource.STAFF), session=lasting(60)), FIRST, W),
            Failing(lines("90839", "90840"), SECOND, W),
            Failing(lines("96130", "96131"), SECOND, W),
            Failing(lines("96130", "96131", session=lasting(151)), SECOND, W),
            Failing(lines("99215", "99417", session=lasting(60)), SECOND, W),
        ),
    ),
    "NCCI-001": example(
        passing=lines("90834", "90785"),
        failing=(
            Failing(lines("90839", "90853"), SECOND),
            Failing(lines("90845", line("90840", "59")), SECOND),
            Failing(lines("90853", other_claims=(other("90839"),)), FIRST),
        ),
    ),
    "NCCI-002": example(
        passing=(
            lines("90839", "90840"),
            lines("90834", other_claims=(other("90839", provider_npi=RIVAL_NPI),)),
        ),
        failing=(
            Failing(lines("90834", "90839"), SECOND),
            Failing(lines("90834", other_claims=(other("90839"),)), FIRST),
            Failing(lines("90839", other_claims=(other("90837"),)), FIRST),
        ),
    ),
    "NCCI-003": example(
        passing=(
            lines("90834", line("90847", "59")),
            lines(line("90834", "XE"), "90853"),
            lines(line("90847", "59"), other_claims=(other("90834"),)),
            lines("90847", other_claims=(other("90834", provider_npi=RIVAL_NPI),)),
        ),
        failing=(
            Failing(lines("90834", "90847"), SECOND, W),
            Failing(lines("90834", "90853"), SECOND, W),
            Failing(lines("90847", other_claims=(other("90834"),)), FIRST, W),
        ),
    ),
    "NCCI-004": example(
        passing=(
            lines("90853", "96130", ncci=EDITS),
            lines("90834", line("96127", "XU"), ncci=EDITS, tables=NCCI),
        ),
        failing=(
            Failing(lines("90853", "96130", ncci=EDITS, tables=NCCI), SECOND),
            Failing(lines("96127", "90834", ncci=EDITS, tables=NCCI), SECOND, W),
            Failing(lines("96130", other_claims=(other("90853"),), ncci=EDITS, tables=NCCI), FIRST),
            Failing(lines("96127", other_claims=(other("90834"),), ncci=EDITS, tables=NCCI), FIRST, W),
            Failing(lines(line("96127", units=3), ncci=EDITS, tables=NCCI), FIRST, W),
        ),
    ),
    "MOD-001": example(
        passing=lines(line("90834", "59", "XE", "HO", "GT")),
        failing=(
            Failing(lines(line("90834", "ho")), MODIFIER, R),
            Failing(lines(line("90834", "95", "95")), MODIFIER, R),
            Failing(lines(line("90834", "595")), MODIFIER),
            Failing(lines(line("90834", "59", "XE", "HO", "GT", "95")), MODIFIER),
        ),
    ),
    "MOD-002": example(
        passing=(lines("90834"), telehealth(line("90834", "93"))),
        failing=Failing(telehealth("90834"), MODIFIER, R),
    ),
    "MOD-003": example(
        passing=(
            telehealth(line("90834", "HO", "95")),
            telehealth(line("90834", "HO"), profile=profile(telehealth_modifier=TelehealthModifier.NONE)),
        ),
        failing=Failing(telehealth(line("90834", "HO")), MODIFIER, W),
    ),
    "MOD-004": example(
        passing=(lines("90834"), telehealth("90834")),
        failing=Failing(lines(line("90834", "95")), MODIFIER, W),
    ),
    "MOD-005": example(
        passing=(
            telehealth(line("90834", "93"), note=note(audio_only=True)),
            telehealth(line("90834", source=CodeSource.NOTE), note=note(audio_only=True)),
        ),
        failing=Failing(telehealth("90834", note=note(audio_only=True)), MODIFIER, W),
    ),
    "MOD-006": example(
        passing=(
            telehealth("90834", profile=profile(telehealth_modifier=TelehealthModifier.NINETY_FIVE)),
            lines("90834", profile=profile(telehealth_modifier=TelehealthModifier.GT)),
        ),
        failing=(
            Failing(
                telehealth("90834", profile=profile(telehealth_modifier=TelehealthModifier.GT)), MODIFIER, R
            ),
            Failing(
                telehealth(line("90834", "95"), profile=profile(telehealth_modifier=TelehealthModifier.NONE)),
                MODIFIER,
                R,
            ),
        ),
    ),
    "MOD-007": example(
        passing=(
            telehealth("98966"),
            lines("98966", profile=profile(phone_codes_without_95=True)),
        ),
        failing=Failing(telehealth("98966", profile=profile(phone_codes_without_95=True)), MODIFIER, W),
    ),
    "POS-001": example(
        passing=(telehealth("90834"), lines("90834", profile=profile(telehealth_place_of_service="02"))),
        failing=Failing(
            telehealth("90834", profile=profile(telehealth_place_of_service="02")),
            "session.placeOfService",
            R,
        ),
    ),
    "POS-002": example(
        passing=lines(line("90834", place_of_service_code="11")),
        failing=Failing(lines("90834", line("90785", place_of_service_code="12")), SECOND),
    ),
}
