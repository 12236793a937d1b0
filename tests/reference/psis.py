#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes psis.json: Pareto k and leave-one-out densities, by NumPy alone, after Zhang and Stephens 2009 and Vehtari et
al. 2024 (appendix C), with the weights as arrays instead of sorted pairs.

Log likelihoods are made by formula, here and in psis_loo_test.cpp, with u = hash01(seed, S) (SplitMix64):
  pareto  scale ln(1 - u), whose ratios 1/p are Pareto distributed with k = scale
  normal  -scale (sum of twelve u - 6)^2 / 2
  ties    as pareto, with u rounded down to fifths
"""
import json
import numpy as np


def hash01(seed, n):
    z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(float) * 2.0**-53


def log_likelihood(kind, seed, S, scale):
    if kind == "normal":
        return -scale * (hash01(seed, 12 * S).reshape(S, 12).sum(1) - 6) ** 2 / 2
    u = hash01(seed, S)
    return scale * np.log1p(-(np.floor(5 * u) / 5 if kind == "ties" else u))


def pareto_fit(x):
    n = len(x)
    m = 30 + int(np.sqrt(n))
    j = np.arange(1, m + 1)
    quartile = x[int(n / 4 + 0.5) - 1]
    if quartile <= 0:
        quartile = x[x > 0][0]
    b = 1 / x[-1] + (1 - np.sqrt(m / (j - 0.5))) / (3 * quartile)
    k = np.log1p(-b[:, None] * x).mean(1)
    profile = n * (np.log(-b / k) - k - 1)
    weights = 1 / np.exp(profile - profile[:, None]).sum(1)      # as in the paper: 1 / sum_i exp(L_i - L_j)
    mean = (b * weights).sum() / weights.sum()
    shape = np.log1p(-mean * x).mean()
    return (n * shape + 5) / (n + 10), -shape / mean


def smoothed(ratios):
    S = len(ratios)
    w = np.exp(ratios - ratios.max())
    m = int(np.ceil(min(S / 5, 3 * np.sqrt(S))))
    order = np.argsort(w, kind="stable")
    tail, cut = order[-m:], w[order[-m - 1]]
    if w[tail].max() == w[tail].min():
        return w / w.sum(), 0.0
    k, sigma = pareto_fit(w[tail] - cut)
    p = (np.arange(m) + 0.5) / m
    w[tail] = np.minimum(cut + sigma * ((1 - p) ** -k - 1) / k, 1)
    return w / w.sum(), k


cases = []
for kind, seed, S, scale in [("pareto", 11, 100, 0.2), ("pareto", 12, 400, 0.5), ("pareto", 13, 1000, 0.9),
                             ("pareto", 14, 2000, 1.3), ("pareto", 15, 30, 0.5), ("normal", 16, 500, 1.0),
                             ("normal", 17, 200, 0.05), ("ties", 18, 200, 0.7)]:
    ll = log_likelihood(kind, seed, S, scale)
    weights, k = smoothed(-ll)
    cases.append({"kind": kind, "seed": seed, "S": S, "scale": scale, "k": float(k),
                  "elpd": float(np.log((weights * np.exp(ll)).sum())), "lpd": float(np.log(np.exp(ll).mean())),
                  "largest": float(weights.max())})
with open("psis.json", "w") as file:
    json.dump({"description": "PSIS-LOO by NumPy, made by psis.py", "cases": cases}, file, indent=1)
    file.write("\n")
