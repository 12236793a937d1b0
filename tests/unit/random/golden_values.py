#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# The literal numbers of noise_test.cpp, written independently of the library: python3 tests/unit/random/golden_values.py
import math

MASK = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & MASK, (p0 >> 32) ^ c[3] ^ k[1], p0 & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


def word(seed, stream, index, kind, i):
    block = i // 4
    return philox([block & MASK, (block >> 32) + (kind << 24), index, stream], [seed & MASK, seed >> 32])[i % 4]


def signed(x):
    return x - (1 << 32) if x >> 31 else x


def normal(seed, stream, index, i):
    a, b = (word(seed, stream, index, 1, i // 2 * 2 + k) for k in (0, 1))
    radius = math.sqrt(-2 * math.log(((a >> 1) + 0.5) / 2**31))
    phi = math.pi / 4 * signed((b << 2) & MASK) / 2**31
    pair = [math.cos(phi), math.sin(phi)]
    if b >> 30 & 1:
        pair.reverse()
    return (-1 if b >> 31 else 1) * radius * pair[i % 2]


def wide_unit(seed, stream, index, kind, i):
    w = word(seed, stream, index, kind, 2 * i) | word(seed, stream, index, kind, 2 * i + 1) << 32
    return ((w >> 12) + 0.5) / 2**52


def wide_normal(seed, stream, index, i):
    u, v = (wide_unit(seed, stream, index, 2, i // 2 * 2 + k) for k in (0, 1))
    return math.sqrt(-2 * math.log(u)) * (math.sin if i % 2 else math.cos)(2 * math.pi * v)


def permutation(seed, stream, index, n):
    order, used = list(range(n)), 0
    for size in range(n, 1, -1):
        while True:
            product = word(seed, stream, index, 5, used) * size
            used += 1
            if (product & MASK) >= 2**32 % size:
                break
        j = product >> 32
        order[size - 1], order[j] = order[j], order[size - 1]
    return order


key = (0x123456789ABCDEF0, 5, 42)
print("bits         ", ", ".join(f"0x{word(*key, 0, i):08x}u" for i in range(8)))
print("normals      ", ", ".join(f"{normal(*key, i):.8f}" for i in range(8)))
print("wide normals ", ", ".join(f"{wide_normal(*key, i):.15f}" for i in range(4)))
print("uniforms     ", ", ".join(f"{(2 * (word(*key, 3, i) >> 9) + 1) / 2**24!r}" for i in range(4)))
print("wide uniforms", ", ".join(f"{wide_unit(*key, 4, i)!r}" for i in range(4)))
print("permutation  ", ", ".join(map(str, permutation(*key, 12))))
