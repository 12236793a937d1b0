// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"

#include "foundation/error.h"
#include "foundation/flush_denormals.h"
#include "foundation/thread_sanitizer.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <latch>
#include <limits>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace credence {

namespace {

constexpr int most_threads = 256;

/// TBB creates one worker fewer than the machine has cores. A test that requests 7 threads on 2
/// cores must get 7.
void allow_more_threads_than_cores(int count)
{
    if (count > tbb::info::default_concurrency())
        static const tbb::global_control allowance(tbb::global_control::max_allowed_parallelism, most_threads);
}

/// Starts `count` threads at once, then joins them.
/// @return  how many the system allowed
int threads_that_start(int count)
{
    std::latch all_tried(1);
    std::vector<pthread_t> threads;
    const auto wait = [](void* latch) -> void* {
        static_cast<std::latch*>(latch)->wait();
        return nullptr;
    };
    for (pthread_t thread{}; static_cast<int>(threads.size()) < count; threads.push_back(thread))
        if (::pthread_create(&thread, nullptr, wait, &all_tried) != 0)
            break;
    all_tried.count_down();
    for (const auto thread : threads)
        ::pthread_join(thread, nullptr);
    return static_cast<int>(threads.size());
}

/// True if the system allows this process that many threads. TBB terminates the program if it
/// cannot start one. Checked once for each new maximum.
bool can_have(int count)
{
    static std::atomic<int> known{1}, refused{std::numeric_limits<int>::max()};
    if (count <= known)
        return true;
    if (count >= refused)
        return false;
    const bool can          = threads_that_start(count - 1) == count - 1;
    (can ? known : refused) = count;
    return can;
}

}   // namespace

struct Threads::Impl {
    explicit Impl(int count) : arena(count) { arena.initialize(); }
    tbb::task_arena arena;
};

Threads::Threads(int count)
{
    const int n = count > 0 ? std::min(count, most_threads) : tbb::info::default_concurrency();
    if (!can_have(n))
        throw std::runtime_error("Not all of " + std::to_string(n) + " threads can be started (" + system_reason(EAGAIN)
                                 + "): a limit of this system or container allows no more (ulimit -u). Use fewer "
                                   "with --threads.");
    allow_more_threads_than_cores(n);
    impl_ = std::make_unique<Impl>(n);
}

Threads::~Threads() = default;

int Threads::count() const { return impl_->arena.max_concurrency(); }

void Threads::run(function_ref<void()> work)
{
    char mark = 0;
    hand_over(&mark);
    impl_->arena.execute([&] {
        take_over(&mark);
        const FlushDenormals here;
        work();
        hand_over(&mark);
    });
    take_over(&mark);
}

namespace {

/// One thread's share of a loop. A thread that finishes its share helps with the others.
struct alignas(64) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
};
constexpr std::size_t most_shares = 64;   // also documented by the command line

/// Runs [0, n) with one share per thread. The share is chosen by the thread's index in the arena,
/// so consecutive passes over the same memory find it in the same core's cache. This costs one task
/// per thread and one atomic addition per index. A task that starts late finds its share done by
/// the others.
void shared_loop(std::size_t n, std::size_t n_shares, function_ref<void(std::size_t)> body)
{
    std::array<Share, most_shares> shares;
    for (std::size_t s = 0; s < n_shares; ++s) {
        shares[s].next.store(s * n / n_shares, std::memory_order_relaxed);
        shares[s].end = (s + 1) * n / n_shares;
    }
    const auto work = [&](std::size_t) {
        take_over(&shares);
        const FlushDenormals here;
        const auto mine = static_cast<std::size_t>(std::max(0, tbb::this_task_arena::current_thread_index()));
        try {
            for (std::size_t k = 0; k < n_shares; ++k) {
                Share& share = shares[(mine + k) % n_shares];
                while (share.next.load(std::memory_order_relaxed) < share.end) {
                    const std::size_t i = share.next.fetch_add(1, std::memory_order_relaxed);
                    if (i >= share.end)
                        break;
                    body(i);
                }
            }
        } catch (...) {   // the other threads stop at their next index
            for (std::size_t s = 0; s < n_shares; ++s)
                shares[s].next.store(shares[s].end, std::memory_order_relaxed);
            hand_over(&shares);
            throw;
        }
        hand_over(&shares);
    };
    hand_over(&shares);
    // Isolated: a thread that waits here never starts a task of an outer loop, so a loop body can
    // use thread-local scratch memory.
    tbb::this_task_arena::isolate([&] {
        const auto piece = [&](const tbb::blocked_range<std::size_t>& range) { work(range.begin()); };
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n_shares, 1), piece, tbb::simple_partitioner());
    });
    take_over(&shares);
}

}   // namespace

int concurrency() { return std::clamp(tbb::this_task_arena::max_concurrency(), 1, static_cast<int>(most_shares)); }

void parallel_for(std::size_t n, function_ref<void(std::size_t)> body)
{
    const std::size_t n_shares = n == 1 ? 1 : std::min(n, static_cast<std::size_t>(concurrency()));
    if (n_shares <= 1 || !can_have(tbb::this_task_arena::max_concurrency())) {
        const FlushDenormals here;
        for (std::size_t i = 0; i < n; ++i)
            body(i);
        return;
    }
    shared_loop(n, n_shares, body);
}

void parallel_chunks(std::size_t n, std::size_t chunk, function_ref<void(std::size_t, std::size_t)> body)
{
    if (n == 0)
        return;
    if (n <= chunk) {
        const FlushDenormals here;
        return body(0, n);
    }
    parallel_for((n + chunk - 1) / chunk, [&](std::size_t i) { body(i * chunk, std::min(n, (i + 1) * chunk)); });
}

double parallel_sum(std::size_t n, std::size_t chunk, function_ref<double(std::size_t, std::size_t)> body)
{
    if (n == 0)
        return 0;
    if (n <= chunk) {
        const FlushDenormals here;
        return body(0, n);
    }
    constexpr std::size_t batch = 1024;   // chunk sums on the stack
    std::array<double, batch> parts;
    const std::size_t n_chunks = (n + chunk - 1) / chunk;
    double sum                 = 0;
    for (std::size_t first = 0; first < n_chunks; first += batch) {
        const std::size_t size = std::min(batch, n_chunks - first);
        parallel_for(size, [&](std::size_t k) {
            const std::size_t begin = (first + k) * chunk;
            parts[k]                = body(begin, std::min(n, begin + chunk));
        });
        for (std::size_t k = 0; k < size; ++k)
            sum += parts[k];
    }
    return sum;
}

}   // namespace credence
