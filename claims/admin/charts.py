"""Charts as numbers for SVG: every bar knows its place, its figures in words and the rows behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 480, 200
LEFT, RIGHT, TOP, BOTTOM = 40, 4, 8, 22
SPARK_WIDTH, SPARK_HEIGHT = 76, 22
STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Bar:
    """One rectangle in the chart's own units; `words` name its figures."""

    x: float
    y: float
    width: float
    height: float
    tone: str
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A label, and for the upright axis the height of its line."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars, the grid's lines with their labels, the labels under the columns."""

    bars: list[Bar]
    lines: list[Mark]
    labels: list[Mark]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a column."""

    value: float
    tone: str
    words: str
    address: str


def columns(parts: Sequence[Sequence[Part]], *, labels: Sequence[str], unit: str = "") -> Chart:
    """Stack parts in columns, the first at the bottom."""
    top = round_up(max((sum(part.value for part in column) for column in parts), default=0))
    across = (WIDTH - LEFT - RIGHT) / max(len(parts), 1)
    upright = (HEIGHT - TOP - BOTTOM) / top
    bars: list[Bar] = []
    for place, column in enumerate(parts):
        base = float(HEIGHT - BOTTOM)
        for part in column:
            height = part.value * upright
            if height <= 0:
                continue
            base -= height
            bars.append(
                Bar(
                    x=round(LEFT + place * across + across * 0.06, 1),
                    y=round(base, 1),
                    width=round(across * 0.88, 1),
                    height=round(max(height - 0.6, 0.8), 1),
                    tone=part.tone,
                    words=part.words,
                    address=part.address,
                )
            )
    return Chart(
        bars=bars,
        lines=[
            Mark(LEFT - 6, round(HEIGHT - BOTTOM - top * share * upright, 1), _short(top * share, unit))
            for share in (0, 0.25, 0.5, 0.75, 1)
        ],
        labels=[
            Mark(round(LEFT + (place + 0.5) * across, 1), HEIGHT - 6, words)
            for place, words in enumerate(labels)
        ],
    )


def spark(values: Sequence[int]) -> tuple[str, tuple[float, float]]:
    """Draw a line's points and its last one."""
    most = max(*values, 1)
    step = (SPARK_WIDTH - 8) / max(len(values) - 1, 1)
    points = [
        (round(4 + place * step, 1), round(SPARK_HEIGHT - 4 - value / most * (SPARK_HEIGHT - 8), 1))
        for place, value in enumerate(values)
    ]
    return " ".join(f"{x},{y}" for x, y in points), points[-1]


def round_up(value: float) -> float:
    """The next number that an axis can end on and be divided by four: 4, 8, 20, 100, 2,000."""
    scale = 4.0
    while True:
        for step in STEPS:
            if scale * step >= value and (scale * step) % 4 == 0:
                return scale * step
        scale *= 10


def _short(value: float, unit: str) -> str:
    if value >= 1_000_000:
        return f"{unit}{value / 1_000_000:.3g}M"
    return f"{unit}{value / 1000:.3g}k" if value >= 1000 else f"{unit}{value:.0f}"
