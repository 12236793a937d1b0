#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what a reader of the code meets: files, lines, headers used once, long functions, long lines, casts.

Usage: count_code.py [ROOT]. Prints one line per count; enforces nothing.
"""
import os
import re
import subprocess
import sys

root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../.."))
listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
code = [f for f in listed if f.startswith(("core/", "app/", "widgets/")) and f.endswith((".cpp", ".h"))]
tests = [f for f in listed if f.startswith("tests/") and f.endswith((".cpp", ".h"))]


def text_of(file):
    with open(os.path.join(root, file), encoding="utf-8") as stream:
        return stream.read()


text = {f: text_of(f) for f in code + tests}
lines = {f: t.count("\n") for f, t in text.items()}


def sum_lines(files):
    return sum(lines[f] for f in files)


def includers():
    """For each header of the program: how many other program files include it, its own .cpp aside."""
    headers = [f for f in code if f.endswith(".h")]
    by_name = {f if f.startswith("widgets/") else f.split("/", 1)[1]: f for f in headers}
    count = {f: 0 for f in headers}
    for f in code:
        for name in re.findall(r'#include "([^"]+)"', text[f]):
            header = by_name.get(name)
            if header and os.path.splitext(header)[0] != os.path.splitext(f)[0]:
                count[header] += 1
    return count


def function_lengths():
    """Lengths of function bodies, by the layout that .clang-format gives: a brace in a column of its own opens a body."""
    found = []
    for f in code:
        rows = text[f].split("\n")
        for begin, row in enumerate(rows):
            opened = re.fullmatch(r"( *)\{", row)
            before = rows[begin - 1].rstrip() if begin else ""
            if not opened or not re.search(r"[)\]&:}]$|const$|override$|noexcept$|-> .*$|\}$", before):
                continue
            closing = opened.group(1) + "}"
            end = next((i for i in range(begin + 1, len(rows)) if rows[i].startswith(closing)), None)
            if end is not None and not re.match(r" *(namespace|class|struct|enum|union|extern)\b", before):
                found.append((end - begin - 1, f, begin + 1))
    return sorted(found, reverse=True)


uses = includers()
functions = function_lengths()
casts = sum(len(re.findall(r"\bdynamic_cast\b", t)) for f, t in text.items() if f in set(code))
print(f"{len(code):7} files in core, app and widgets")
print(f"{sum_lines(code):7} lines in core, app and widgets")
for folder in ("core", "app", "widgets"):
    part = [f for f in code if f.startswith(folder + "/")]
    print(f"{sum_lines(part):7} lines in {len(part)} files in {folder}")
print(f"{sum_lines(tests):7} lines in {len(tests)} files in tests")
print(f"{sum(1 for n in uses.values() if n <= 1):7} headers with at most one other includer")
print(f"{sum(1 for f in code if f.startswith('core/') and lines[f] <= 30):7} files of at most 30 lines in core")
print(f"{sum(1 for n, _, _ in functions if n > 60):7} functions over 60 lines")
print(f"{sum(1 for n, _, _ in functions if n > 100):7} functions over 100 lines")
print(f"{sum(1 for t in text.values() for row in t.split(chr(10)) if len(row) > 120):7} lines over 120 columns")
print(f"{casts:7} uses of dynamic_cast")
for length, file, line in functions[:10]:
    print(f"{length:7} lines: the function at {file}:{line}")
