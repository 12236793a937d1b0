#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes Gaussians over logits of the size of ImageNet's validation set, to measure `credence bridge` with; needs no NumPy.

    tests/bench/make_logits.py /tmp/logits.npz                      50,000 rows, 1,000 classes, float32: 400 MB
    /usr/bin/time -v build/release/credence bridge /tmp/logits.npz

The numbers are invented: a pool of normals, cut at random places, with two classes of each row raised; the higher one is the true class for about three
quarters of the rows, the other for most of the rest. They say nothing about any network.
"""
import argparse
import array
import math
import random
import sys
import zipfile


def header(descr, shape):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (descr, ", ".join(map(str, shape)))
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--classes", type=int, default=1_000)
    parser.add_argument("--deflate", action="store_true", help="compress, as np.savez_compressed does")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    assert sys.byteorder == "little"
    rng = random.Random(args.seed)
    N, K = args.rows, args.classes
    pool = array.array("f", (rng.gauss(0, 1.5) for _ in range(100_000 + K)))
    spread = array.array("f", (150 * math.exp(rng.gauss(0, 0.3)) for _ in range(100_000 + K)))
    labels = array.array("q", (rng.randrange(K) for _ in range(N)))
    places = [rng.randrange(100_000) for _ in range(N)]
    others = array.array("q", (rng.randrange(K) for _ in range(N)))
    boosts = [rng.gauss(17, 2) for _ in range(N)]
    gaps = [abs(rng.gauss(0, 6)) * (1 if rng.random() < 0.78 else -1) for _ in range(N)]   # negative: the other class wins
    method = zipfile.ZIP_DEFLATED if args.deflate else zipfile.ZIP_STORED
    with zipfile.ZipFile(args.file, "w", method, compresslevel=1 if args.deflate else None) as archive:
        def write(name, descr, shape, rows):
            with archive.open(name + ".npy", "w", force_zip64=True) as out:   # as NumPy does
                out.write(header(descr, shape))
                for row in rows:
                    out.write(row)

        def mean(i):
            row = pool[places[i]:places[i] + K]
            row[others[i]] = boosts[i] - max(0, gaps[i])
            row[labels[i]] = boosts[i] + min(0, gaps[i])
            return row.tobytes()

        write("mean", "<f4", (N, K), (mean(i) for i in range(N)))
        write("variance", "<f4", (N, K), (spread[p:p + K].tobytes() for p in places))
        write("labels", "<i8", (N,), [labels.tobytes()])


if __name__ == "__main__":
    main()
