"""Who comes along to a session of the patient's."""

RELATIVE = (
    r"(?:husband|wife|spouses?|partner|boyfriend|girlfriend|fianc\w+|mother|mom|father|dad|mgm|parents?|grand\w+"
    r"|step\w+|guardians?|caregivers?|aunt|uncle|son|daughter|brother|sister|siblings?|family)"
)
# What a relative who opens a sentence does about the patient.
SPEAKS_OF = frozenset(
    ("reports", "reported", "report", "says", "said", "states", "stated", "notes", "noted", "describes",
     "described", "brought", "present", "attended", "attends", "wants", "wanted", "asked", "asks",
     "completed",
     "gave", "signed", "rated", "he", "she", "him", "they", "them", "client", "pt", "patient", "i", "we",
     "me", "us", "sees", "joined", "agrees", "agreed", "understands", "understand", "learned", "helped",
     "helps", "concerned", "given", "taught", "re", "about", "regarding", "on", "by")
)  # fmt: skip
# By the possessive of their sex.
OF_A_SEX = {
    "his": frozenset(
        ("brother", "father", "dad", "son", "husband", "boyfriend", "uncle", "nephew", "grandfather",
         "grandson", "grandpa", "stepfather", "stepdad", "stepson", "stepbrother", "fiance", "hubby")
    ),
    "her": frozenset(
        ("sister", "mother", "mom", "daughter", "wife", "girlfriend", "aunt", "niece", "grandmother",
         "grandma", "granddaughter", "stepmother", "stepmom", "stepdaughter", "stepsister", "fiancee")
    ),
}  # fmt: skip
