#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the results of the UCI sweeps into docs/uci-benchmark.md and resources/gallery.json.

    tests/docs/uci_table.py out/uci_benchmark out/uci_protein out/uci_nuts out/uci_conformal …
    tests/docs/uci_table.py
    tests/docs/uci_table.py --check

All numbers, printed and ours, are in resources/uci_results.json. With folders of sweeps, finished or
running, the first call replaces ours there by their results, and then writes page and gallery. Without folders it only writes them. --check fails if they differ from that file.
After a change of the gallery call: credence papers --write docs/papers.md
"""
import collections
import itertools
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "resources/uci_results.json"
PAGE = ROOT / "docs/uci-benchmark.md"
GALLERY = ROOT / "resources/gallery.json"

SHORT = {"bostonHousing": "Boston", "concrete": "Concrete", "energy": "Energy", "kin8nm": "Kin8nm",
         "naval-propulsion-plant": "Naval", "power-plant": "Power", "protein-tertiary-structure": "Protein",
         "wine-quality-red": "Wine", "yacht": "Yacht"}
TABLES = list(SHORT)
METHODS = ["point estimate", "dropout", "deep ensemble", "mean field", "Laplace", "SWAG", "SGHMC", "NUTS"]
PAPERS = ["PBP", "dropout", "deep ensemble"]   # that print results
NUTS_TABLES = {"bostonHousing", "concrete", "energy", "yacht"}
TABLE_ROWS = {"bostonHousing": 506, "concrete": 1030, "energy": 768, "kin8nm": 8192, "naval-propulsion-plant": 11934,
              "power-plant": 9568, "protein-tertiary-structure": 45730, "wine-quality-red": 1599, "yacht": 308}
SCORES = {"RMSE": "RMSE", "NLL": "NLL", "CRPS": "CRPS", "Coverage": "Coverage of the 95 % predictive interval"}
WHOLE = {table: 5 if table.startswith("protein") else 20 for table in TABLES}
CONFORMAL_METHODS = ["point estimate", "mean field"]
CONFORMAL_SCORES = ["absolute", "normalised", "CQR"]
CONFORMAL_COVERAGE = "Coverage of the 90 % conformal intervals"


# --- reading the cells of sweeps, which may still be running ---

def rounded(value):
    return None if value is None else float(f"{value:.6g}")


def words_of_cells(sweep):
    """The values of the axes of each cell by the end of its name, as the program writes it."""
    axes = {name: [value["label"] for value in values] for name, values in sweep["axes"].items()}
    cells = {}
    for labels in itertools.product(*axes.values()):
        values = dict(zip(axes, labels))
        cells[", ".join(label for name, label in values.items() if len(axes[name]) > 1)] = values
    return cells


def cells_of(folder):
    """Axes and results of each finished cell."""
    words = words_of_cells(json.loads((folder / "sweep.json").read_text(encoding="utf-8")))
    cells = []
    for file in sorted(folder.glob("cells/*/results.json")):
        results = json.loads(file.read_text(encoding="utf-8"))
        axes = words.get(results["name"].partition(": ")[2])
        if axes is None:
            continue   # of an earlier version of the sweep
        cell = {"axes": axes, "data": results["data"], "commit": results["provenance"]["commit"],
                "times": json.loads((file.parent / "times.json").read_text(encoding="utf-8"))}
        for key, part in (("test", "scores"), ("validation", "validation_scores")):
            cell[key] = {row["score"]: row["value"] for row in results.get(part, [])}
        cells.append(cell)
    return cells, len(words)


def runs_of(cells, n):
    """Where the numbers of a sweep are from: builds, last day, finished runs and hours of training."""
    return {"commit": ", ".join(sorted({cell["commit"] for cell in cells})),
            "date": max((cell["times"]["started"][:10] for cell in cells), default=""), "runs": len(cells), "of": n,
            "hours": round(sum(cell["times"]["seconds"] for cell in cells) / 3600, 2)}


def grouped(cells, *axes):
    groups = collections.defaultdict(list)
    for cell in cells:
        groups[tuple(cell["axes"][axis] for axis in axes)].append(cell)
    return groups


def mean_sd_error(values):
    if any(value is None for value in values):
        return [None, None, None]
    mean = sum(values) / len(values)
    sd = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1)) if len(values) > 1 else None
    return [rounded(mean), rounded(sd), rounded(sd / math.sqrt(len(values))) if sd is not None else None]


def chosen_of(cells, sweep):
    """As chosen.csv: at each split the tuning with the best validation NLL. Splits without all tunings are left out."""
    tunings = [value["label"] for value in sweep["axes"]["tuning"]]
    found = []
    for (table, method), of_method in grouped(cells, "table", "method").items():
        chosen = []
        for of_split in grouped(of_method, "split").values():
            scored = [cell for cell in of_split if cell["validation"].get("NLL") is not None]
            if len(scored) == len(tunings):
                chosen.append(min(scored, key=lambda cell: (cell["validation"]["NLL"], tunings.index(cell["axes"]["tuning"]))))
        if not chosen:
            continue
        counts = collections.Counter(cell["axes"]["tuning"] for cell in chosen)
        found.append({"table": table, "method": method, "splits": len(chosen),
                      "chosen": "; ".join(f"{tuning} ({counts[tuning]})" for tuning in tunings if counts[tuning]),
                      "scores": {score: mean_sd_error([cell["test"].get(name) for cell in chosen])
                                 for score, name in SCORES.items()}})
    return found


def conformal_of(cells):
    """Coverage pooled over the splits, with the numbers that its expectation and band need."""
    found = []
    for (table, method, score), group in grouped(cells, "table", "method", "score").items():
        if len(group) < WHOLE[table]:
            continue   # some splits are missing
        tests = [cell["test"]["Inputs"] for cell in group]
        covered = [round(cell["test"][CONFORMAL_COVERAGE] * n) for cell, n in zip(group, tests)]
        data = group[0]["data"]
        found.append({"table": table, "method": method, "score": score, "splits": len(group), "rows": sum(tests),
                      "covered": sum(covered), "least": rounded(min(c / n for c, n in zip(covered, tests))),
                      "error": mean_sd_error([c / n for c, n in zip(covered, tests)])[2],
                      "calibration_rows": TABLE_ROWS[table] - data["training_rows"] - data["test_rows"],
                      "width": mean_sd_error([cell["test"]["Mean width of the conformal intervals"] for cell in group])[0]})
    return found


def collect(results, folders):
    for folder in map(pathlib.Path, folders):
        sweep = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
        cells, n = cells_of(folder)
        part = "conformal" if "score" in sweep["axes"] else "ours"
        found = conformal_of(cells) if part == "conformal" else chosen_of(cells, sweep)
        key = (lambda one: (one["table"], one["method"], one.get("score")))
        kept = {key(one): one for one in results[part]}
        kept.update({key(one): one for one in found})
        order = (lambda k: (TABLES.index(k[0]), METHODS.index(k[1]), CONFORMAL_SCORES.index(k[2]) if k[2] else 0))
        results[part] = [kept[k] for k in sorted(kept, key=order)]
        results["runs"][folder.name] = runs_of(cells, n)


# --- the tables of the page ---

def number(value, decimals):
    return f"{value:.{decimals}f}".replace("-", "−")


def decimals_of(table, score):
    if table.startswith("naval") and score in ("RMSE", "CRPS"):
        return 5
    return 3 if score in ("CRPS", "Coverage") else 2


def ours_of(results, table, method):
    return next((one for one in results["ours"] if (one["table"], one["method"]) == (table, method)), None)


def our_text(results, table, method, score):
    """"2.64 ± 0.09"; empty: not run yet."""
    one = ours_of(results, table, method)
    if one is None or one["scores"][score][0] is None:
        return ""
    mean, _, error = one["scores"][score]
    decimals = decimals_of(table, score)
    text = number(mean, decimals) + ("" if error is None else " ± " + number(error, decimals))
    return text if one["splits"] == WHOLE[table] else f"{text} ({one['splits']} of {WHOLE[table]} splits)"


def markdown(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
                     + ["| " + " | ".join(row) + " |" for row in rows])


def score_table(results, score):
    printed = PAPERS if score in results["printed"] else []
    head = ["Table", *(f"{paper}, printed" for paper in printed), *METHODS]
    rows = []
    for table in TABLES:
        own = ["–" if method == "NUTS" and table not in NUTS_TABLES
               else our_text(results, table, method, score) or "not run yet" for method in METHODS]
        rows.append([table, *(results["printed"][score][table][paper] for paper in printed), *own])
    return markdown(head, rows)


def printed_number(text):
    mean, error = text.replace("−", "-").split(" ± ")
    return float(mean), float(error)


def difference(results, table, score, method):
    """Ours minus printed of the same method, and its standard error; empty: some splits are not run yet."""
    one = ours_of(results, table, method)
    if one is None or one["splits"] < WHOLE[table] or one["scores"][score][2] is None:
        return None
    mean, error = printed_number(results["printed"][score][table][method])
    if method == "deep ensemble":   # its "±" is a standard deviation
        error /= math.sqrt(WHOLE[table])
    ours, _, our_error = one["scores"][score]
    return ours - mean, math.hypot(error, our_error)


def difference_text(found):
    """With the two decimals of the printed values."""
    return f"{found[0]:+.2f} ± {found[1]:.2f}".replace("-", "−")


COMPARED = [(score, method) for score in ("RMSE", "NLL") for method in ("dropout", "deep ensemble")]


def differences_table(results):
    rows = []
    for table in TABLES:
        found = [difference(results, table, score, method) for score, method in COMPARED]
        rows.append([table] + [difference_text(one) if one else "not run yet" for one in found])
    return markdown(["Table"] + [f"{score}, {method}" for score, method in COMPARED], rows)


def verdict(results, table):
    """"Better than printed: NLL of dropout (−0.15 ± 0.04). Worse: …": by more than two standard errors."""
    better, worse, equal = [], [], []
    for score, method in COMPARED:
        found = difference(results, table, score, method)
        if found is None:
            continue
        name = f"{score} of {method} ({difference_text(found)})"
        rounding = 0.5 * 10 ** -len(results["printed"][score][table][method].split(" ± ")[0].rpartition(".")[2])
        if abs(found[0]) <= 2 * found[1] + rounding:
            equal.append(name)
        else:
            (better if found[0] < 0 else worse).append(name)
    parts = [f"{title}: {', '.join(names)}." for title, names in
             (("Better than printed", better), ("Worse than printed", worse), ("Within two standard errors", equal)) if names]
    return " ".join(parts + [results["reasons"].get(table, "")]).strip()


def reasons_list(results):
    return "\n".join(wrapped(f"- **{SHORT[table]}**: {verdict(results, table)}") for table in TABLES
                     if verdict(results, table))


def wrapped(text, width=100):
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def runs_table(results):
    rows = [[f"`{name}`", f"{one['runs']:,} of {one['of']:,}", f"{one['hours']:.1f}", one["date"], f"`{one['commit']}`"]
            for name, one in results["runs"].items()]
    return markdown(["sweep", "runs", "training, hours of a busy core", "date", "commit"], rows)


# --- conformal intervals ---

LEVEL = 0.9


def expected_coverage(n):
    """Of split conformal intervals from n calibration rows: ⌈0.9 (n + 1)⌉ / (n + 1)."""
    return math.ceil(LEVEL * (n + 1) - 1e-9) / (n + 1)


def wilson(hits, n, z=1.959964):
    """The binomial 95 % interval (Wilson 1927)."""
    share, middle = hits / n, z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (share + middle - half) / (1 + 2 * middle), (share + middle + half) / (1 + 2 * middle)


T_QUANTILE = {20: 2.093, 5: 2.776}   # 97.5 %, one degree of freedom less than splits


def conformal(results, table, method, score):
    return next((one for one in results["conformal"]
                 if (one["table"], one["method"], one["score"]) == (table, method, score)), None)


def percent(value):
    return f"{100 * value:.1f}"


def conformal_cell(one):
    """"90.7 (88.8 to 92.4)"; * if the band excludes the expected coverage."""
    low, high = wilson(one["covered"], one["rows"])
    inside = low <= expected_coverage(one["calibration_rows"]) <= high
    return f"{percent(one['covered'] / one['rows'])} ({percent(low)} to {percent(high)}){'' if inside else ' *'}"


def conformal_table(results):
    head = ["Table", "splits", "test rows, pooled", "calibration rows", "expected"]
    head += [f"{method}, {score}" for method in CONFORMAL_METHODS for score in CONFORMAL_SCORES]
    rows = []
    for table in TABLES:
        all_of = [conformal(results, table, method, score) for method in CONFORMAL_METHODS for score in CONFORMAL_SCORES]
        first = next(filter(None, all_of), None)
        if first is None:
            rows.append([table] + ["not run yet"] * (len(head) - 1))
            continue
        rows.append([table, str(first["splits"]), f"{first['rows']:,}", f"{first['calibration_rows']:,}",
                     percent(expected_coverage(first["calibration_rows"])),
                     *(conformal_cell(one) if one else "not run yet" for one in all_of)])
    return markdown(head, rows)


def conformal_counts(results):
    every = results["conformal"]
    if not every:
        return "The sweep has not been run yet."
    nominal = sum(low <= LEVEL <= high for low, high in (wilson(one["covered"], one["rows"]) for one in every))
    exact = sum(low <= expected_coverage(one["calibration_rows"]) <= high
                for one, (low, high) in ((one, wilson(one["covered"], one["rows"])) for one in every))
    between = sum(abs(one["covered"] / one["rows"] - expected_coverage(one["calibration_rows"]))
                  <= T_QUANTILE[one["splits"]] * one["error"] for one in every)
    least = min(every, key=lambda one: one["least"])
    return wrapped(
        f"Of {len(every)} binomial intervals, {nominal} contain 90 % and {exact} contain the expected coverage. Of the "
        f"intervals from the standard errors over splits, which include the calibration rows, {between} of {len(every)} "
        f"contain it. A single split can be far from 90 %: the least "
        f"is {percent(least['least'])} % ({SHORT[least['table']]}, {least['method']}, {least['score']}).").replace("\n  ", "\n")


# --- the entries of the window ---

# On two idle cores: the hours in the results are those of a busy machine.
MINUTES = {"uci_benchmark": 30, "uci_protein": 15, "uci_conformal": 2}


def gallery_entry(results, table):
    sweep = "uci_protein" if table.startswith("protein") else "uci_benchmark"
    runs = results["runs"].get(sweep)
    values = []
    for score in ("RMSE", "NLL"):
        for method in ["PBP", *METHODS]:
            printed = results["printed"][score][table].get(method, "-")
            ours = "" if method == "PBP" else our_text(results, table, method, score)
            if printed != "-" or ours:
                values.append({"name": f"{score}, {method}", "printed": printed, **({"ours": ours} if ours else {})})
                if method not in ("PBP", "NUTS"):
                    values[-1] |= {"score": score, "cell": {"table": table, "method": method}}
    complete = bool(runs) and is_whole(results, table)
    entry = {"id": "U." + table.lower(), "paper": "U", "number": SHORT[table], "kind": "table",
             "shows": f"RMSE and NLL on the table {table}, mean ± standard error over {WHOLE[table]} published splits.",
             "how": {"sweep": sweep}, "views": [], "minutes": MINUTES[sweep], "quick_minutes": 1,
             "values": values, "status": "other settings" if complete else "open"}
    if complete:
        entry["ours"] = {"seeds": f"1 to {WHOLE[table]}, one per split", "date": runs["date"], "commit": runs["commit"],
                         "time": f"{runs['hours']:.1f} hours of a busy core for the sweep",
                         "settings": "four fifths of the training rows"}
    entry["difference"] = verdict(results, table) or "Not run yet."
    entry["document"] = "docs/uci-benchmark.md"
    return entry


def all_tables_entry():
    return {"id": "U.all", "paper": "U", "number": "All tables", "kind": "figure",
            "shows": "NLL of each method on nine tables, relative to the printed NLL of PBP.",
            "how": {"sweep": "uci_benchmark"}, "views": [], "minutes": MINUTES["uci_benchmark"],
            "quick_minutes": 1, "status": "shown",
            "difference": "Each table has its own entry, which names the differences.",
            "document": "docs/uci-benchmark.md"}


def conformal_entry(results):
    every = results["conformal"]
    values = []
    for table in TABLES:
        for score in CONFORMAL_SCORES:
            one = conformal(results, table, "mean field", score)
            if one:
                low, high = wilson(one["covered"], one["rows"])
                values.append({"name": f"{SHORT[table]}, {score}, coverage (%)", "printed": percent(expected_coverage(one["calibration_rows"])),
                               "ours": f"{percent(one['covered'] / one['rows'])} ({percent(low)} to {percent(high)})"})
    runs = results["runs"].get("uci_conformal")
    entry = {"id": "U.conformal", "paper": "U", "number": "Conformal intervals", "kind": "claim",
             "shows": "Split conformal intervals at 90 % cover new rows with at least this probability. The first number is the "
                      "expected coverage, ours is the mean-field run pooled over the splits with its binomial 95 % interval.",
             "how": {"sweep": "uci_conformal"}, "views": ["conformal"], "minutes": MINUTES["uci_conformal"],
             "quick_minutes": 0.5, "values": values,
             "status": "shown" if every and runs else "open"}
    if every and runs:
        entry["ours"] = {"seeds": "1 to 20, one per split", "date": runs["date"], "commit": runs["commit"],
                         "time": f"{runs['hours']:.1f} hours of a busy core"}
    entry["difference"] = "Splits share test rows, so the binomial intervals are too narrow." if every else "Not run yet."
    entry["document"] = "docs/uci-benchmark.md#conformal-intervals"
    return entry


def entry_text(entry):
    """As the other entries of the gallery are written: one line per key, one per value."""
    lines = []
    for key, value in entry.items():
        if key == "values":
            inner = ",\n".join("        " + json.dumps(one, ensure_ascii=False) for one in value)
            lines.append(f'      "values": [\n{inner}\n      ]')
        else:
            lines.append(f"      {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "    {\n" + ",\n".join(lines) + "\n    }"


def filled_gallery(text, results):
    entries = [all_tables_entry(), *(gallery_entry(results, table) for table in TABLES), conformal_entry(results)]
    first = text.find('"id": "U.')
    before = text[:text.rfind("    {", 0, first)] if first >= 0 else text[:text.rindex("    }") + 5] + ",\n"
    return before + ",\n".join(map(entry_text, entries)) + "\n  ]\n}\n"


def is_whole(results, table):
    found = [ours_of(results, table, method) for method in METHODS if method != "NUTS"]
    return all(one and one["splits"] == WHOLE[table] for one in found)


def status_text(results):
    done = [SHORT[table] for table in TABLES if is_whole(results, table)]
    if not done:
        return "**Status**: not run yet; cells without a number say so."
    missing = [SHORT[table] for table in TABLES if not is_whole(results, table)]
    nuts = [SHORT[table] for table in TABLES if ours_of(results, table, "NUTS")]
    text = f"**Status**: all splits and seven methods are run on {', '.join(done)}."
    text += f" Not complete: {', '.join(missing)}." if missing else ""
    text += f" NUTS has been run on {', '.join(nuts)}." if nuts else " NUTS has not been run yet."
    return wrapped(text).replace("\n  ", "\n")


def filled_page(page, results):
    parts = {"Status": status_text(results)} | {score: score_table(results, score) for score in SCORES}
    parts |= {"Differences": differences_table(results), "Reasons": reasons_list(results), "Runs": runs_table(results),
              "Conformal": conformal_table(results), "Conformal counts": conformal_counts(results)}
    for name, text in parts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            sys.exit(f"The page has no part {begin} … {end}, expected exactly one.")
        page = re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}\n{end}", page, flags=re.S)
    return page


def main(arguments):
    if any(one.startswith("-") and one != "--check" for one in arguments):
        sys.exit(__doc__)
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    folders = [one for one in arguments if one != "--check"]
    if folders:
        collect(results, folders)
        RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for path, fill in ((PAGE, filled_page), (GALLERY, filled_gallery)):
        before = path.read_text(encoding="utf-8")
        after = fill(before, results)
        if "--check" in arguments:
            if before != after:
                sys.exit(f"{path} differs from resources/uci_results.json; call {pathlib.Path(__file__).name} without --check.")
        elif before != after:
            path.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
