#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill the tables of docs/uci-benchmark.md with the results of the UCI sweeps.

    tests/docs/uci_table.py docs/uci-benchmark.md out/uci_benchmark out/uci_protein out/uci_nuts

Reads chosen.csv in each folder: means and standard errors over the splits of the setting that the
validation rows chose. Without folders, all cells of Credence say "not run yet". With --check the
page must already have the text that this call would write without folders, or numbers in its place.
"""
import csv
import pathlib
import re
import sys

TABLES = ["bostonHousing", "concrete", "energy", "kin8nm", "naval-propulsion-plant", "power-plant",
          "protein-tertiary-structure", "wine-quality-red", "yacht"]
METHODS = ["point estimate", "dropout", "deep ensemble", "mean field", "Laplace", "SWAG", "SGHMC", "NUTS"]
NUTS_TABLES = {"bostonHousing", "concrete", "energy", "yacht"}
# PBP and deep ensembles: Table 1 of Lakshminarayanan et al. 2017; dropout: readme of Gal's repository.
PRINTED = {
    "RMSE": [
        ["3.01 ± 0.18", "2.97 ± 0.19", "3.28 ± 1.00"], ["5.67 ± 0.09", "5.23 ± 0.12", "6.03 ± 0.58"],
        ["1.80 ± 0.05", "1.66 ± 0.04", "2.09 ± 0.29"], ["0.10 ± 0.00", "0.10 ± 0.00", "0.09 ± 0.00"],
        ["0.01 ± 0.00", "0.01 ± 0.00", "0.00 ± 0.00"], ["4.12 ± 0.03", "4.02 ± 0.04", "4.11 ± 0.17"],
        ["4.73 ± 0.01", "4.36 ± 0.01", "4.71 ± 0.06"], ["0.64 ± 0.01", "0.62 ± 0.01", "0.64 ± 0.04"],
        ["1.02 ± 0.05", "1.11 ± 0.09", "1.58 ± 0.48"]],
    "NLL": [
        ["2.57 ± 0.09", "2.46 ± 0.06", "2.41 ± 0.25"], ["3.16 ± 0.02", "3.04 ± 0.02", "3.06 ± 0.18"],
        ["2.04 ± 0.02", "1.99 ± 0.02", "1.38 ± 0.22"], ["−0.90 ± 0.01", "−0.95 ± 0.01", "−1.20 ± 0.02"],
        ["−3.73 ± 0.01", "−3.80 ± 0.01", "−5.63 ± 0.05"], ["2.84 ± 0.01", "2.80 ± 0.01", "2.79 ± 0.04"],
        ["2.97 ± 0.00", "2.89 ± 0.00", "2.83 ± 0.02"], ["0.97 ± 0.01", "0.93 ± 0.01", "0.94 ± 0.12"],
        ["1.63 ± 0.02", "1.55 ± 0.03", "1.18 ± 0.21"]]}
SCORES = {"RMSE": "RMSE", "NLL": "NLL", "CRPS": "CRPS", "Coverage": "Coverage of the 95 % predictive interval"}
WHOLE = {table: 5 if table.startswith("protein") else 20 for table in TABLES}


def number(text, decimals):
    return f"{float(text):.{decimals}f}".replace("-", "−")


def column(row, start):
    """The value of the column whose name starts so; its unit, in brackets, depends on the table."""
    return next((value for name, value in row.items() if name.startswith(start) and value), "")


def results_of(folders):
    found = {}
    for folder in folders:
        lines = (pathlib.Path(folder) / "chosen.csv").read_text(encoding="utf-8").splitlines()
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            if row["table"] not in TABLES or row["method"] not in METHODS:
                sys.exit(f"{folder}/chosen.csv: found {row['table']}, {row['method']}, expected a table and a method of the page.")
            found[row["table"], row["method"]] = row
    return found


def cell(results, table, method, score):
    if method == "NUTS" and table not in NUTS_TABLES:
        return "–"
    row = results.get((table, method))
    mean = column(row, f"test {SCORES[score]}, mean") if row else ""
    if not mean:
        return "not run yet"
    error = column(row, f"test {SCORES[score]}, standard error")
    decimals = 5 if table.startswith("naval") and score in ("RMSE", "CRPS") else 3 if score in ("CRPS", "Coverage") else 2
    text = number(mean, decimals) + (" ± " + number(error, decimals) if error else "")
    splits = int(row["replicates"])
    return text if splits == WHOLE[table] else f"{text} ({splits} of {WHOLE[table]} splits)"


def table_of(results, score):
    printed = ["PBP, printed", "dropout, printed", "deep ensemble, printed"] if score in PRINTED else []
    head = ["Table", *printed, *METHODS]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for i, table in enumerate(TABLES):
        own = [cell(results, table, method, score) for method in METHODS]
        lines.append("| " + " | ".join([table, *(PRINTED[score][i] if printed else []), *own]) + " |")
    return "\n".join(lines)


def filled(page, results):
    for score in SCORES:
        begin, end = f"<!-- {score}: begin -->", f"<!-- {score}: end -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            sys.exit(f"The page has no part {begin} … {end}, expected exactly one.")
        page = re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{table_of(results, score)}\n{end}", page, flags=re.S)
    return page


def without_numbers(page):
    """The page with every result of Credence replaced, for comparison; printed values stay."""
    lines = []
    for line in page.splitlines():
        cells = line.split(" | ")
        if line.startswith("| ") and cells[0][2:] in TABLES and len(cells) >= len(METHODS) + 1:
            cells[-len(METHODS):] = ["result"] * len(METHODS)
        lines.append(" | ".join(cells))
    return "\n".join(lines)


def main(arguments):
    check = "--check" in arguments
    page, *folders = [a for a in arguments if a != "--check"]
    path = pathlib.Path(page)
    before = path.read_text(encoding="utf-8")
    after = filled(before, results_of(folders))
    if not check:
        path.write_text(after, encoding="utf-8")
    elif without_numbers(before) != without_numbers(after):
        sys.exit(f"{path}: its tables differ from those that this script writes, expected only other results.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
