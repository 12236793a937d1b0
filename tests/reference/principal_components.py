#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the numbers in principal_components_test.cpp and monte_carlo_error_test.cpp, by NumPy and SciPy."""
import numpy as np
from scipy import stats

X = np.array([[1, 2, 0.5], [2, 1, 0.7], [3, 5, 0.1], [4, 3, 0.9], [6, 8, -1.0]], float)
C = np.cov(X.T)
values, vectors = np.linalg.eigh(C)
print("trace", repr(float(np.trace(C))))
for a in (2, 1):
    u = vectors[:, a]
    u = u * np.sign(u[np.argmax(abs(u))])
    print("variance", repr(float(values[a])))
    print("axis", [repr(float(t)) for t in u])
    print("coordinates", [repr(float(t)) for t in (X - X.mean(0)) @ u])

f = np.array([0.3, -0.2, 0.9, 0.1, -0.6, 0.4])
s = np.array([1.0, 0.5, 0.8, 1.2, 0.7, 0.9])
y = 0.25
p = stats.norm.pdf(y, f, s)
m = p.mean()
print("nll", repr(float(-np.log(m))), "error", repr(float((p / m).std(ddof=1) / np.sqrt(6))))
from scipy.optimize import brentq
q = brentq(lambda t: stats.norm.cdf(t, f, s).mean() - 0.9, -9, 9, xtol=1e-15, rtol=1e-15)
below, density = stats.norm.cdf(q, f, s), stats.norm.pdf(q, f, s).mean()
print("quantile", repr(float(q)), "error", repr(float(below.std(ddof=1) / np.sqrt(6) / density)))
print("rmse error", repr(float(f.std(ddof=1) / np.sqrt(6))))
