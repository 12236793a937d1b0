#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens logit draws larger than memory and prints the time and memory used; needs no NumPy.

    tests/bench/big_outputs.py build/release/credence                                   200 × 50,000 × 1,000 float16: 20 GB, sparse
    tests/bench/big_outputs.py build/release/credence --rows 10000 --classes 10         80 MB: what opens at once
    tests/bench/big_outputs.py build/release/credence --written --folder /data/big      20 GB of numbers on disk in place of zeros

A sparse file takes no room on disk: all its logits are 0, all classes equally likely. With --written each row has a class that is raised, by a height of its own.
The file is read twice, once for scores and tables, once for the lists of the uncertainty-aware top-k; without --out once. (An .npz is read once more before, to compare
its checksum.) Memory: rows × classes doubles of mean probabilities, 400 MB here, and a confusion table of classes × classes; nothing grows with the number of draws.
Exit status 1: more memory than --most-mib.
"""
import argparse
import array
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time


def header(descr, shape):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (descr, ", ".join(map(str, shape)))
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def write_numbers(out, S, N, K, labels, rng):
    """Noise from a pool, with the logit of the label (in one of four rows of another class) raised."""
    pool_size = 1 << 16
    pool = struct.pack("<%de" % (pool_size + K), *(rng.gauss(0, 1) for _ in range(pool_size + K)))
    raised = [k if rng.random() < 0.75 else rng.randrange(K) for k in labels]
    heights = [rng.uniform(2, 14) for _ in range(N)]
    for s in range(S):
        starts = [2 * rng.randrange(pool_size) for _ in range(N)]
        draw = bytearray(b"".join(pool[at:at + 2 * K] for at in starts))
        for i in range(N):
            struct.pack_into("<e", draw, 2 * (i * K + raised[i]), heights[i] + rng.gauss(0, 1))
        out.write(draw)


def opened(arguments):
    begin = time.monotonic()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("credence", help="the program")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--classes", type=int, default=1_000)
    parser.add_argument("--written", action="store_true", help="random numbers instead of zeros")
    parser.add_argument("--folder", help="where the arrays are written, and kept (default: a temporary folder)")
    parser.add_argument("--scores-only", action="store_true", help="without the tables")
    parser.add_argument("--most-mib", type=int, default=2048)
    args = parser.parse_args()
    assert sys.byteorder == "little"
    S, N, K = args.draws, args.rows, args.classes
    folder = args.folder or tempfile.mkdtemp(prefix="credence-big-")
    try:
        os.makedirs(folder, exist_ok=True)
        rng = random.Random(1)
        labels = array.array("q", (rng.randrange(K) for _ in range(N)))
        with open(os.path.join(folder, "labels.npy"), "wb") as out:
            out.write(header("<i8", (N,)) + labels.tobytes())
        with open(os.path.join(folder, "logits.npy"), "wb") as out:
            out.write(header("<f2", (S, N, K)))
            if args.written:
                write_numbers(out, S, N, K, labels, rng)
            else:
                out.truncate(out.tell() + 2 * S * N * K)
        print(f"{S} draws of {N} rows, {K} classes, float16: {2e-9 * S * N * K:.2f} GB", flush=True)
        print(f"scores alone            {opened([args.credence, 'open', folder]):8.1f} s", flush=True)
        if not args.scores_only:
            out = os.path.join(folder, "out")
            took = opened([args.credence, "open", folder, "--no-figures", "--longest", "10", "--out", out])
            print(f"scores and all tables   {took:8.1f} s", flush=True)
            tables = os.path.join(out, "data")
            largest = max(os.listdir(tables), key=lambda name: os.path.getsize(os.path.join(tables, name)))
            print(f"largest table           {1e-6 * os.path.getsize(os.path.join(tables, largest)):8.1f} MB ({largest})")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"memory at most          {peak:8.0f} MiB, allowed {args.most_mib}")
        return 1 if peak > args.most_mib else 0
    finally:
        if not args.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
