#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes scores.json: predictive scores of 1,000 rows in 40 sets, by NumPy alone in float64 (NumPy 1.24, SciPy 1.10).

The inputs are made by formula, here and in scores_reference_test.cpp: u = hash01(seed, n) is SplitMix64 (formula_numbers.h).
  logits   z = scale (2 u - 1) [S, N, K]; scale 900 underflows every float and most doubles
  votes    each sample gives one class the probability 1, class floor(K u): ties, bin edges k/S, probabilities of exactly 0
  counts   p = c / sum(c), c = floor(4 u), or (1, 0, ...) where all c are 0
  float32  the same, rounded to float32
Every third row is a copy of row 0, so that there are ties. Labels are floor(K u) with seed + 1. Out-of-distribution
rows have seed + 2 and 0.8 times the scale.
"""
import json
import numpy as np
from scipy.special import log_softmax, logsumexp

EDGE = 2.0**-24  # docs/maths.md, section 8: a confidence that close to an edge is on it


def hash01(seed, n):
    z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(float) * 2.0**-53


def samples(kind, seed, S, N, K, scale):
    """Log probabilities for logits, else probabilities [S, N, K]."""
    u = hash01(seed, S * N * K).reshape(S, N, K)
    if kind == "logits":
        values = log_softmax(scale * (2 * u - 1), axis=2)
    elif kind == "votes":
        values = np.eye(K)[np.floor(K * u[:, :, 0]).astype(int)]
    else:
        c = np.floor(4 * u)
        c[:, :, 0] = np.where(c.sum(2) == 0, 1, c[:, :, 0])
        values = c / c.sum(2, keepdims=True)
        if kind == "float32":
            values = values.astype(np.float32).astype(float)
    values[:, ::3] = values[:, :1]
    return values


def auroc(positive, negative):
    wins = (positive[:, None] > negative[None, :]).sum() + 0.5 * (positive[:, None] == negative[None, :]).sum()
    return wins / (len(positive) * len(negative))


def entropy(p):
    return -(p * np.log(np.where(p > 0, p, 1))).sum(-1)


def read(kind, values):
    """ln of the mean, mean, confidence score and entropies."""
    S = len(values)
    p = np.exp(values) if kind == "logits" else values
    mean = p.mean(0)
    with np.errstate(divide="ignore"):
        log_mean = logsumexp(values, axis=0) - np.log(S) if kind == "logits" else np.log(mean)
    top = mean.argmax(1)
    score = mean.max(1) - 1
    if kind == "logits":  # near 1 by way of ln(1 - confidence), without cancellation
        rest = log_mean.copy()
        rest[np.arange(len(top)), top] = -np.inf
        score = np.where(score < -1e-6, score, -logsumexp(rest, axis=1))
    return log_mean, mean, top, score, entropy(mean), entropy(p).mean(0)


def number(x):
    return "inf" if np.isinf(x) else float(x)


def case(i):
    kind = ["logits", "logits", "votes", "counts", "float32"][i % 5]
    S, N, K = [1, 2, 4, 8, 16][i // 5 % 5], 25, [2, 3, 5, 10][i % 4]
    scale = [1, 5, 60, 900][i // 2 % 4]
    seed = 7000 + 10 * i
    values = samples(kind, seed, S, N, K, scale)
    other = samples(kind, seed + 2, S, N, K, 0.8 * scale)
    y = np.floor(K * hash01(seed + 1, N)).astype(int)
    log_mean, mean, top, score, H, EH = read(kind, values)
    foreign = read(kind, other)
    nll = -log_mean[np.arange(N), y]
    right = top == y
    conf = mean.max(1)
    gap = 0.0
    for b in range(15):
        inside = (conf > b / 15 + EDGE) & (conf <= (b + 1) / 15 + EDGE)
        gap += abs(right[inside].sum() - conf[inside].sum())
    expected = dict(
        nll=number(nll.mean()), impossible=int(np.isinf(nll).sum()), finite_nll=float(nll[np.isfinite(nll)].sum()),
        accuracy=float(right.mean()), brier=float(((mean - np.eye(K)[y]) ** 2).sum(1).mean()), ece=float(gap / N),
        mmc=float(conf.mean()), entropy=float(H.mean()), expected_entropy=float(EH.mean()),
        information=float(np.maximum(0, H - EH).mean()), ood_confidence=auroc(score, foreign[3]))
    if 0 < right.sum() < N:
        expected["right_against_wrong"] = auroc(score[right], score[~right])
    return dict(name=f"{kind} {i}", kind=kind, seed=seed, S=S, N=N, K=K, scale=scale, expected=expected)


with np.errstate(over="ignore"):
    cases = [case(i) for i in range(40)]
text = ",\n  ".join(json.dumps(c) for c in cases)
open("scores.json", "w").write('{\n "description": "predictive scores by NumPy, made by scores.py",\n "sets": [\n  ' + text + "\n ]\n}\n")
