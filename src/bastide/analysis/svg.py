"""Small plots as SVG text: dots with intervals, histograms, bars, lines. No script, text in the page's colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#6a6a6a")  # told apart by all
WIDTH = 720
LABELS = 150  # room for names on the left
ROW = 26
EDGE = 40  # room for the axis below, and for the last number on the right
STEPS = (1, 2, 5, 10)
TICKS = 6


def tag(name: str, *content: str, **attributes: object) -> str:
    """One element. Underscores in attribute names stand for hyphens; content is taken as it is."""
    pairs = "".join(f' {key.strip("_").replace("_", "-")}="{escape(_text(v))}"' for key, v in attributes.items())
    return f"<{name}{pairs}>{''.join(content)}</{name}>" if content else f"<{name}{pairs}/>"


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def words(text: str, x: float, y: float, anchor: str = "start", **more: object) -> str:
    """A line of text."""
    return tag("text", escape(text), x=x, y=y, text_anchor=anchor, **more)


def picture(title: str, height: float, *content: str) -> str:
    """The whole drawing; its title is what a screen reader says."""
    return tag(
        "svg",
        tag("title", escape(title)),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        width=WIDTH,
        height=f"{height:.0f}",
        role="img",
        font_family="sans-serif",
        font_size=13,
        fill="currentColor",
    )


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high` along the drawing from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> Scale:
        """Wide enough for all values; never of no width."""
        low, high = min(values, default=0.0), max(values, default=1.0)
        return cls(low, high if high > low else low + 1, start, end)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) * (self.end - self.start) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Round numbers within the scale."""
        rough = (self.high - self.low) / TICKS
        unit = 10.0 ** floor(log10(rough))
        step = next(unit * s for s in STEPS if unit * s >= rough)
        first = floor(self.low / step)
        found = [step * (first + i) for i in range(3 * TICKS)]
        return [tick for tick in found if self.low - step / 1e6 <= tick <= self.high + step / 1e6]


def axis(scale: Scale, top: float, bottom: float) -> str:
    """Vertical lines with their numbers below."""
    return "".join(
        tag("line", x1=scale(t), x2=scale(t), y1=top, y2=bottom, stroke="currentColor", stroke_opacity=0.15)
        + words(f"{t:g}", scale(t), bottom + 16, "middle", fill_opacity=0.7)
        for t in scale.ticks()
    )


def dots(title: str, rows: Sequence[tuple[str, float, float, float]]) -> str:
    """A line for each (name, value, low, high): a dot and its interval."""
    bottom = ROW * len(rows) + 8
    scale = Scale.over([v for _, *values in rows for v in values], LABELS, WIDTH - EDGE)
    drawn = [axis(scale, 4, bottom)]
    for number, (name, value, low, high) in enumerate(rows):
        y = ROW * number + ROW / 2 + 4
        drawn.append(words(name, LABELS - 10, y + 4, "end"))
        drawn.append(tag("line", x1=scale(low), x2=scale(high), y1=y, y2=y, stroke=COLOURS[0], stroke_width=3))
        drawn.append(tag("circle", cx=scale(value), cy=y, r=5, fill=COLOURS[0]))
    return picture(title, bottom + EDGE / 2 + 4, *drawn)


def bars(title: str, rows: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    """A bar for each (name, amounts), made of one coloured piece for each kind of amount; a legend below."""
    kinds = list(dict.fromkeys(kind for _, amounts in rows for kind in amounts))
    bottom = ROW * len(rows) + 8
    scale = Scale.over([0.0, *(sum(amounts.values()) for _, amounts in rows)], LABELS, WIDTH - EDGE)
    drawn = [axis(scale, 4, bottom)]
    for number, (name, amounts) in enumerate(rows):
        y = ROW * number + 8
        drawn.append(words(name, LABELS - 10, y + ROW / 2, "end"))
        so_far = 0.0
        for kind, amount in amounts.items():
            x = scale(so_far)
            so_far += amount
            hint = tag("title", escape(f"{name}, {kind}: {amount:.1f}"))
            fill = COLOURS[kinds.index(kind) % len(COLOURS)]
            drawn.append(tag("rect", hint, x=x, y=y, width=scale(so_far) - x, height=ROW - 8, fill=fill))
    return picture(title, bottom + EDGE / 2 + ROW * _lines(kinds) + 4, *drawn, legend(kinds, bottom + EDGE))


def legend(kinds: Sequence[str], top: float) -> str:
    """What the colours mean, four to a line."""
    drawn = []
    for number, kind in enumerate(kinds):
        x = LABELS + (WIDTH - EDGE - LABELS) / 4 * (number % 4)
        y = top + ROW * (number // 4)
        drawn.append(tag("rect", x=x, y=y - 10, width=12, height=12, fill=COLOURS[number % len(COLOURS)]))
        drawn.append(words(kind, x + 17, y))
    return "".join(drawn)


def _lines(kinds: Sequence[str]) -> int:
    return (len(kinds) + 3) // 4


def histogram(title: str, values: Sequence[float], step: float) -> str:
    """How many values fall into each step; the step that begins at 0 and those after it in the first colour."""
    counts: dict[int, int] = {}
    for value in values:
        counts[floor(value / step)] = counts.get(floor(value / step), 0) + 1
    first, last = min(counts, default=0), max(counts, default=0) + 1
    x = Scale(first * step, last * step, EDGE, WIDTH - EDGE)
    y = Scale(0, max(counts.values(), default=1), 160, 16)
    drawn = [axis(x, 8, 160)]
    for place, count in counts.items():
        left, right = x(place * step), x((place + 1) * step)
        hint = tag("title", f"{place * step:g} to {(place + 1) * step:g}: {count}")
        fill = COLOURS[0] if place >= 0 else COLOURS[1]
        drawn.append(
            tag("rect", hint, x=left + 1, y=y(count), width=right - left - 2, height=160 - y(count), fill=fill)
        )
    return picture(title, 160 + EDGE / 2 + 4, *drawn)


def lines(title: str, series: Mapping[str, Sequence[float]], marks: Sequence[int] = ()) -> str:
    """One line for each name, all over the same steps from 0; marks are vertical lines at some of the steps."""
    steps = max((len(values) for values in series.values()), default=1)
    x = Scale(0, max(steps - 1, 1), EDGE + 10, WIDTH - EDGE)
    y = Scale.over([0.0, *(v for values in series.values() for v in values)], 230, 12)
    drawn = [axis(x, 12, 230)]
    for tick in y.ticks():
        drawn.append(words(f"{tick:g}", EDGE, y(tick) + 4, "end", fill_opacity=0.7))
        drawn.append(tag("line", x1=EDGE + 10, x2=WIDTH - EDGE, y1=y(tick), y2=y(tick), stroke="currentColor",
                         stroke_opacity=0.4 if tick == 0 else 0.15))  # fmt: skip
    for mark in marks:
        drawn.append(tag("line", x1=x(mark), x2=x(mark), y1=12, y2=230, stroke=COLOURS[3], stroke_dasharray="4 3"))
    for number, values in enumerate(series.values()):
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in enumerate(values))
        colour = COLOURS[number % len(COLOURS)]
        drawn.append(tag("polyline", points=points, fill="none", stroke=colour, stroke_width=2))
    return picture(title, 250 + ROW * _lines(list(series)) + 4, *drawn, legend(list(series), 270))
