"""Draws the curves that the learners leave behind (`curve.csv`): points ahead of `greedy` over seconds of CPU time.

python examples/learning/curves.py "PPO=build/ppo/curve.csv" "AlphaZero=build/alphazero/curve.csv" -o curves.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from bastide.analysis.svg import COLOURS, EDGE, WIDTH, Scale, axis, legend, picture, tag, words

TOP, BOTTOM, LEFT, RIGHT = 12, 230, EDGE + 10, WIDTH - EDGE

Curve = list[tuple[float, float]]


def read(path: Path) -> Curve:
    """Seconds of CPU time, points ahead."""
    with path.open(newline="", encoding="utf-8") as file:
        return [(float(row["cpu_seconds"]), float(row["margin"])) for row in csv.DictReader(file)]


def drawn(curves: dict[str, Curve]) -> str:
    """The picture."""
    x = Scale.over([0.0, *(second for curve in curves.values() for second, _ in curve)], LEFT, RIGHT)
    y = Scale.over([0.0, *(points for curve in curves.values() for _, points in curve)], BOTTOM, TOP)
    parts = [axis(x, TOP, BOTTOM)]
    for tick in y.ticks():
        strength = 0.4 if tick == 0 else 0.15
        parts.append(words(f"{tick:g}", EDGE, y(tick) + 4, "end", fill_opacity=0.7))
        parts.append(
            tag("line", x1=LEFT, x2=RIGHT, y1=y(tick), y2=y(tick), stroke="currentColor", stroke_opacity=strength)
        )
    for colour, curve in zip(COLOURS, curves.values(), strict=False):
        points = " ".join(f"{x(second):.1f},{y(margin):.1f}" for second, margin in curve)
        parts.append(tag("polyline", points=points, fill="none", stroke=colour, stroke_width=2))
    title = "Points ahead of greedy over seconds of CPU time, 40 games at each moment"
    return picture(title, 290, *parts, words(title, LEFT, 262, fill_opacity=0.7), legend(list(curves), 282))


def main() -> None:
    """Reads all curves, writes one picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curves", nargs="+", metavar="NAME=CSV")
    parser.add_argument("-o", "--out", type=Path, default=Path("curves.svg"))
    given = parser.parse_args()
    named = [text.partition("=") for text in given.curves]
    given.out.write_text(drawn({name: read(Path(path)) for name, _, path in named}) + "\n", "utf-8")


if __name__ == "__main__":
    main()
