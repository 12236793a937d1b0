# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that each formula of a list is in the help: check_formulas.py SOURCE_FOLDER LIST.json

A formula is looked up in the string literals of core and app, joined as the compiler joins them, and
in the help and lessons.
"""
import json
import re
import sys
from pathlib import Path

PIECE = r'"((?:[^"\\\n]|\\.)*)"'
root, formulas = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
texts = []
for folder in ("core", "app"):
    for source in sorted((root / folder).rglob("*.cpp")):
        for literal in re.finditer(rf"{PIECE}(?:\s*{PIECE})*", source.read_text(encoding="utf-8")):
            texts.append("".join(re.findall(PIECE, literal.group())).replace("&gt;", ">"))
for folder in ("help", "lessons"):
    for page in sorted((root / "resources" / folder).glob("*.md")):
        texts.append(" ".join(page.read_text(encoding="utf-8").split()))
unused = [formula["text"] for formula in formulas if not any(formula["text"] in text for text in texts)]
for text in unused:
    print(f'{sys.argv[2]}: no help text has "{text}"')
print(f"{len(formulas)} formulas, {len(texts)} texts")
sys.exit(bool(unused) or not formulas)
