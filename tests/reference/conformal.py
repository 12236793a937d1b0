#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes conformal.json: thresholds, set sizes and intervals of split conformal prediction, by NumPy alone.

Inputs are made by formula, here and in conformal_test.cpp, with u = hash01(seed, n) (SplitMix64):
probabilities are softmax(4 (2 u - 1)) [N, K], labels drawn from them, shares u. A number is predicted with mean 2 u - 1,
sd 0.2 + u and quantiles mean -/+ 1.3 sd; its target is mean + sd (3 u - 1).
"""
import json
import math
import numpy as np

N, M, K = 203, 60, 5
LEVELS = [0.5, 0.8, 0.9, 0.95, 0.999]


def hash01(seed, n):
    z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(float) * 2.0**-53


def probabilities(seed, n):
    z = 4 * (2 * hash01(seed, n * K).reshape(n, K) - 1)
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def class_scores(kind, p, u, penalty=0.1, free=1):
    """By masks instead of a sorted sum."""
    if kind == "thr":
        return 1 - p
    out = np.empty_like(p)
    for i, row in enumerate(p):
        for k in range(K):
            above = (row > row[k]) | ((row == row[k]) & (np.arange(K) < k))
            out[i, k] = row[above].sum() + u[i] * row[k]
            if out[i, k] > 1 - 1e-12:  # all classes: 1 up to rounding
                out[i, k] = 1
            if kind == "raps":
                out[i, k] += penalty * max(0, above.sum() + 1 - free)
    return out


def threshold(scores, level):
    rank = math.ceil((len(scores) + 1) * level - 1e-9)
    return float(np.partition(scores, rank - 1)[rank - 1]) if rank <= len(scores) else "inf"


def number(value):
    return math.inf if value == "inf" else value


cases = []
for kind in ["thr", "aps", "raps"]:
    for randomised in [False, True] if kind != "thr" else [False]:
        p, q = probabilities(1, N), probabilities(2, M)
        labels = (np.cumsum(p, 1) <= hash01(3, N)[:, None]).sum(1).clip(max=K - 1)  # drawn from p
        u = hash01(4, N) if randomised else np.ones(N)
        v = hash01(5, M) if randomised else np.ones(M)
        scores = class_scores(kind, p, u)[np.arange(N), labels]
        new = class_scores(kind, q, v)
        for level in LEVELS:
            limit = threshold(scores, level)
            inside = new <= number(limit)
            if kind != "thr" and not randomised:
                inside[np.arange(M), q.argmax(1)] = True
            cases.append({"score": kind, "randomised": randomised, "level": level, "threshold": limit,
                          "sizes": inside.sum(1).tolist()})

numbers = []
for kind in ["absolute", "normalised", "cqr"]:
    mean, sd = 2 * hash01(6, N) - 1, 0.2 + hash01(7, N)
    y = mean + sd * (3 * hash01(8, N) - 1)
    lower, upper = mean - 1.3 * sd, mean + 1.3 * sd
    scores = {"absolute": np.abs(y - mean), "normalised": np.abs(y - mean) / sd,
              "cqr": np.maximum(lower - y, y - upper)}[kind]
    for level in LEVELS:
        limit = threshold(scores, level)
        q = number(limit)
        low, high = {"absolute": (mean - q, mean + q), "normalised": (mean - q * sd, mean + q * sd),
                     "cqr": (lower - q, upper + q)}[kind]
        low, high = np.where(low > high, (lower + upper) / 2, low), np.where(low > high, (lower + upper) / 2, high)
        numbers.append({"score": kind, "level": level, "threshold": limit,
                        "covered": int(((low <= y) & (y <= high)).sum()),
                        "width": "inf" if limit == "inf" else float((high - low).mean())})

with open("conformal.json", "w") as file:
    json.dump({"description": "split conformal prediction by NumPy, made by conformal.py", "classes": cases,
               "numbers": numbers}, file, indent=1)
    file.write("\n")
