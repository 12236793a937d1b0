# SPDX-License-Identifier: GPL-3.0-or-later
"""Typesets the formulas of the help: typeset_formulas.py resources/formulas.json OUTPUT

OUTPUT is a copy of the list in which each entry also has "svg", a picture made of one path, without
fonts. Its unit is 1/1000 of the font size and its baseline is y = 0. "tex" is one line or a list of
lines. TeX that matplotlib does not understand ends the script with an error.
"""
import json
import logging
import sys

from matplotlib import rcParams
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextToPath

UNITS = 1000  # per font size
GAP, INDENT = 400, 2000  # of further lines
AXIS = 250  # height of a minus sign above the baseline
LETTERS = {Path.MOVETO: ("M", 1), Path.LINETO: ("L", 1), Path.CURVE3: ("Q", 2), Path.CURVE4: ("C", 3), Path.CLOSEPOLY: ("Z", 1)}


class MissingCharacter(logging.Handler):
    """Matplotlib only logs that its font lacks a character."""

    def emit(self, record):
        raise ValueError(record.getMessage())


def line(tex):
    """Returns points and codes of the outlines."""
    points, codes = TextToPath().get_text_path(FontProperties(), f"${tex}$", ismath=True)
    if not len(points):
        raise ValueError("the picture is empty")
    scale = UNITS / TextToPath.FONT_SCALE
    return [(round(x * scale), -round(y * scale)) for x, y in points], list(codes)


def svg(tex):
    points, codes = [], []
    for part in [tex] if isinstance(tex, str) else tex:
        more, how = line(part)
        if points:  # a second line, indented
            down = max(y for _, y in points) + GAP - min(y for _, y in more)
            more = [(x + INDENT, y + down) for x, y in more]
        points, codes = points + more, codes + how
    if not isinstance(tex, str):  # several lines are centred on the line of the text
        middle = (min(y for _, y in points) + max(y for _, y in points)) // 2
        points = [(x, y - middle - AXIS) for x, y in points]
    words, at = [], 0
    while at < len(codes):
        letter, count = LETTERS[codes[at]]
        numbers = "" if letter == "Z" else " ".join(f"{x} {y}" for x, y in points[at : at + count])
        words.append(letter + numbers)
        at += count
    drawn = [p for p, code in zip(points, codes) if code != Path.CLOSEPOLY]
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    top, bottom = min(y for _, y in drawn), max(y for _, y in drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {right - left} {bottom - top}">'
        f'<path fill="currentColor" d="{"".join(words)}"/></svg>'
    )


def main(source, output):
    rcParams["mathtext.fontset"] = "cm"
    logging.getLogger("matplotlib.mathtext").addHandler(MissingCharacter(logging.WARNING))
    with open(source, encoding="utf-8") as file:
        formulas = json.load(file)
    for formula in formulas:
        try:
            formula["svg"] = svg(formula["tex"])
        except Exception as error:
            sys.exit(f'{source}: the TeX of "{formula["text"]}" cannot be typeset:\n{error}')
    with open(output, "w", encoding="utf-8") as file:
        json.dump(formulas, file, ensure_ascii=False, indent=0)


main(*sys.argv[1:])
