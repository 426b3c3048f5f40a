"""Envelopes around inbound text that a test writes by hand."""

from __future__ import annotations


def in_interchange(text: str) -> str:
    """Put ISA and IEA around, as the clearinghouse would."""
    header = (
        "ISA*00*          *00*          *ZZ*CLEARHOUSE     *ZZ*HARBORLT       "
        "*260102*0304*^*00501*000000900*0*P*:~"
    )
    return f"{header}{text}IEA*{text.count('GS*')}*000000900~"


def in_group(kind: str, body: str, *, functional_id: str, version: str) -> str:
    """Put a whole envelope around the body of one transaction set, with true counts."""
    stated = "" if kind == "835" else f"*{version}"
    segments = f"ST*{kind}*0001{stated}~{body}"
    return in_interchange(
        f"GS*{functional_id}*CLEARHOUSE*HARBORLT*20260102*0304*901*X*{version}~"
        f"{segments}SE*{segments.count('~') + 1}*0001~GE*1*901~"
    )
