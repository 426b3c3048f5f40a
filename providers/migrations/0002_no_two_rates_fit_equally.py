"""Two rates of one schedule that could both fit one service equally well are refused by the database.

Each dimension becomes a range: a value is a point (its hash), "any" is everything. Two rates collide when all
their ranges meet, their days overlap and they name the same number of dimensions.
"""

from django.db import migrations

CREATE = """
CREATE FUNCTION providers_dimension(value text) RETURNS int8range LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value IS NULL OR value = '' THEN int8range(NULL, NULL)
           ELSE int8range(hashtextextended(value, 0), hashtextextended(value, 0), '[]') END
$$;
CREATE FUNCTION providers_modifiers(value varchar[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN value IS NULL THEN NULL ELSE '+' || array_to_string(value, '+') END
$$;
ALTER TABLE providers_chargerate ADD CONSTRAINT rate_is_the_only_best EXCLUDE USING gist (
    schedule_id WITH =,
    procedure_code WITH =,
    ((modifiers IS NOT NULL)::int + (place_of_service <> '')::int + (payer_id <> '')::int
        + (license_class <> '')::int) WITH =,
    providers_dimension(providers_modifiers(modifiers)) WITH &&,
    providers_dimension(place_of_service) WITH &&,
    providers_dimension(payer_id) WITH &&,
    providers_dimension(license_class) WITH &&,
    valid WITH &&
);
"""
DROP = """
ALTER TABLE providers_chargerate DROP CONSTRAINT rate_is_the_only_best;
DROP FUNCTION providers_dimension(text);
DROP FUNCTION providers_modifiers(varchar[]);
"""


class Migration(migrations.Migration):
    dependencies = [("providers", "0001_initial"), ("billing", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]
