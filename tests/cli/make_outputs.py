#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes draws of class probabilities as anybody would who has NumPy and a net of their own, and what their scores must be.

    make_outputs.py FOLDER [S N K]

c.npz (float32, C order), f.npz (float64, Fortran order, compressed), h.npz (float16), v2.npy and v3.npy (probabilities alone, in folders of these names,
NPY versions 2 and 3), logits.npz, and scores.json with error and NLL of c.npz.
"""
import json
import os
import sys

import numpy as np

folder = sys.argv[1]
S, N, K = (int(text) for text in sys.argv[2:5]) if len(sys.argv) > 4 else (20, 300, 5)
rng = np.random.default_rng(1)
labels = rng.integers(0, K, N)
logits = rng.normal(size=(S, N, K)) + 2 * (np.arange(K) == labels[:, None])
p = np.exp(logits - logits.max(-1, keepdims=True))
p = (p / p.sum(-1, keepdims=True)).astype(np.float32)
rest = dict(labels=labels, class_names=np.array([f"class {k}" for k in range(K)]),
            images=rng.integers(0, 256, (N, 4, 4), dtype=np.uint8))

os.makedirs(folder, exist_ok=True)
np.savez(os.path.join(folder, "c.npz"), probabilities=p, **rest)
np.savez_compressed(os.path.join(folder, "f.npz"), probabilities=np.asfortranarray(p.astype(np.float64)), **rest)
np.savez(os.path.join(folder, "h.npz"), probabilities=p.astype(np.float16), **rest)
np.savez(os.path.join(folder, "logits.npz"), logits=logits, **rest)
for version in (2, 3):
    where = os.path.join(folder, f"v{version}")
    os.makedirs(where, exist_ok=True)
    with open(os.path.join(where, "probabilities.npy"), "wb") as file:
        np.lib.format.write_array(file, p, version=(version, 0))
    np.save(os.path.join(where, "labels.npy"), labels)

mean = p.astype(np.float64).mean(0)
with open(os.path.join(folder, "scores.json"), "w") as file:
    json.dump({"error": float((mean.argmax(-1) != labels).mean()),
               "nll": float(-np.log(np.maximum(mean[np.arange(N), labels], 1e-300)).mean())}, file)
