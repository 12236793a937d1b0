// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

#include <cstddef>
#include <memory>

namespace credence {

/// A set of threads for parallel work. Everything called inside `run` uses only these threads. No
/// TBB header is included here because TBB headers clash with Qt's `emit`.
class Threads {
public:
    explicit Threads(int count = 0);   ///< 0: one per hardware thread
    ~Threads();
    Threads(const Threads&)            = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const;
    void run(function_ref<void()> work);   ///< exceptions thrown by `work` pass through

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Each body runs with FlushDenormals on every thread: the same bits for any number of threads.

/// Number of threads that the loops below can use here, including the caller's.
int concurrency();

/// Calls `body(i)` for i = 0..n-1, on the threads of the enclosing `Threads::run` (or TBB's default
/// ones). Calls must write to disjoint memory. The order is undefined.
void parallel_for(std::size_t n, function_ref<void(std::size_t)> body);

/// Splits [0, n) into chunks whose size does not depend on the number of threads and calls
/// `body(begin, end)` for each. Chunks begin at multiples of `chunk`. A single chunk runs on the
/// caller's thread.
void parallel_chunks(std::size_t n, std::size_t chunk, function_ref<void(std::size_t, std::size_t)> body);

/// Sums `body(begin, end)` over the chunks of [0, n) in chunk order: the same bits for any number
/// of threads.
double parallel_sum(std::size_t n, std::size_t chunk, function_ref<double(std::size_t, std::size_t)> body);

/// Weights per task of an elementwise pass: large enough to hide the task overhead, small enough
/// for the L2 cache.
inline constexpr std::size_t elementwise_chunk = 8192;

}   // namespace credence
