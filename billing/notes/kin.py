"""Who comes along to a session of the patient's."""

RELATIVE = (
    r"(?:husband|wife|spouses?|partner|boyfriend|girlfriend|fianc\w+|mother|mom|father|dad|mgm|parents?|grand\w+"
    r"|step\w+|guardians?|caregivers?|aunt|uncle|son|daughter|brother|sister|siblings?|family)"
)
