"""A release of ICD-10-CM that fits on a screen."""

from datetime import date

from billing.icd10cm import CodeRow, ReleaseDates

YEAR = ReleaseDates(date(2025, 10, 1), date(2026, 9, 30))

ROWS = (
    CodeRow("A00", billable=False, title="Cholera"),
    CodeRow("A00.9", billable=True, title="Cholera, unspecified"),
    CodeRow("F41", billable=False, title="Other anxiety disorders"),
    CodeRow("F41.0", billable=True, title="Panic disorder"),
    CodeRow("F41.1", billable=True, title="Generalized anxiety disorder"),
    CodeRow("F41.9", billable=True, title="Anxiety disorder, unspecified"),
    CodeRow("F42", billable=False, title="Obsessive-compulsive disorder"),
    CodeRow("F42.2", billable=True, title="Mixed obsessional thoughts and acts"),
    CodeRow("F99", billable=True, title="Mental disorder, not otherwise specified"),
    CodeRow("QA0", billable=False, title="Neurodevelopmental disorders of known genes"),
    CodeRow("QA0.8", billable=True, title="Other neurodevelopmental disorders of known genes"),
    CodeRow("Z63", billable=False, title="Other problems related to primary support group"),
    CodeRow("Z63.0", billable=True, title="Problems in relationship with spouse or partner"),
)
