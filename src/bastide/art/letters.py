"""Lettering drawn with single strokes, so that pictures look alike everywhere and need no font.

Every letter stands on a grid four wide and six high; strokes are separated by spaces, points are two digits x, y.
"""

from __future__ import annotations

from bastide.art.curves import Point, num

STROKES = {
    "A": "062046 1434", "B": "06003041423303 3344453606", "C": "4130100105163645", "D": "00204145260600",
    "E": "40000646 0333", "F": "400006 0333", "G": "41301001051636454323", "H": "0006 4046 0343", "I": "2026",
    "J": "4045361605", "K": "0006 400346", "L": "000646", "M": "0600234046", "N": "06004640",
    "O": "103041453616050110", "P": "06003041423303", "Q": "103041453616050110 2446", "R": "06003041423303 2346",
    "S": "413010010213334445361605", "T": "0040 2026", "U": "000516364540", "V": "002640", "W": "0016233640",
    "X": "0046 4006", "Y": "002340 2326", "Z": "00400646", "0": "103041453616050110", "1": "112026",
    "2": "01103041420646", "3": "01103041423313 334445361605", "4": "300444 3036", "5": "400002324345361605",
    "6": "30100105163645443303", "7": "004016", "8": "103041423313020110 1304051636454433", "9": "16364541301001021343",
    "-": "0343", "_": "0646", ".": "2526", ",": "2516", ":": "2122 2425", "x": "0246 0642", "/": "4006",
    "+": "0343 2125", "(": "30111535", ")": "10313516", "&": "46011020210405162644", "'": "2021",
    "?": "0110304142332324 2526", " ": "",
}  # fmt: skip


SMALL = 0.75  # height of small letters, which are drawn as little capitals


def glyph(letter: str) -> list[list[tuple[float, float]]]:
    """The strokes of a letter as points."""
    if letter in SHAPES:
        return SHAPES[letter]
    big = SHAPES.get(letter.upper(), [])
    return [[(x * SMALL + 0.5, 6 - (6 - y) * SMALL) for x, y in stroke] for stroke in big]


def read(text: str) -> list[list[tuple[float, float]]]:
    """Strokes from their short form."""
    return [[(int(part[i]), int(part[i + 1])) for i in range(0, len(part) - 1, 2)] for part in text.split()]


SHAPES = {letter: read(text) for letter, text in STROKES.items()}


def width(text: str, height: float) -> float:
    """How wide a text is at a height."""
    return len(text) * height * 0.92 - height * 0.25


def write(text: str, at: Point, height: float, look: str = "label") -> str:
    """A text centred on a point."""
    unit = height / 6
    x, y = at[0] - width(text, height) / 2, at[1] - height / 2
    d = ""
    for letter in text:
        for stroke in glyph(letter):
            points = [f"{num(x + px * unit)} {num(y + py * unit)}" for px, py in stroke]
            d += "M" + "L".join(points)
        x += height * 0.92
    return f'<path class="{look}" stroke-width="{num(height / 7)}" d="{d}"/>'
