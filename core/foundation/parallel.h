// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

#include <cstddef>
#include <memory>

namespace credence {

/// A set of threads in which parallel work runs. Everything called inside `run` uses these threads and no others.
/// No TBB header is visible here: Qt's `emit` clashes with them.
class Threads {
public:
    explicit Threads(int count = 0);   ///< 0: as many as the machine has
    ~Threads();
    Threads(const Threads&)            = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const;
    void run(function_ref<void()> work);   ///< exceptions thrown by `work` pass through

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Each body runs with FlushDenormals, whichever thread calls it: the same bits for any number of threads.

/// How many threads the loops below may use here, the caller's included.
int concurrency();

/// Calls `body(i)` for i = 0..n-1, on the threads of the enclosing `Threads::run` (or TBB's default ones).
/// What each call writes must be disjoint. The order is not defined; nothing may depend on it.
void parallel_for(std::size_t n, function_ref<void(std::size_t)> body);

/// Cuts [0, n) into chunks whose size does not depend on the number of threads and calls `body(begin, end)` for each.
/// A range of one chunk runs on the caller's thread. Chunks begin at multiples of `chunk`.
void parallel_chunks(std::size_t n, std::size_t chunk, function_ref<void(std::size_t, std::size_t)> body);

/// Sum of `body(begin, end)` over the chunks of [0, n), added in chunk order: the same bits for any number of threads.
double parallel_sum(std::size_t n, std::size_t chunk, function_ref<double(std::size_t, std::size_t)> body);

/// Weights handled by one task of an elementwise pass: large enough to hide the cost of a task, small enough for the L2 cache.
inline constexpr std::size_t elementwise_chunk = 8192;

}   // namespace credence
