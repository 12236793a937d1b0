// SPDX-License-Identifier: GPL-3.0-or-later
// Counts every allocation of this program. Sanitizers have their own allocators, so this test is skipped there.
#include "foundation/parallel.h"
#include "foundation/products.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <vector>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<long> allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size)
{
    ++allocations;
    return __libc_malloc(size);
}
int posix_memalign(void** where, std::size_t alignment, std::size_t size)
{
    ++allocations;
    *where = __libc_memalign(alignment, size);
    return *where == nullptr ? 12 : 0;
}
void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    ++allocations;
    return __libc_memalign(alignment, size);
}
}

using namespace credence;

namespace {

template <class T>
void expect_no_allocation(int n, int i, int o, int threads)
{
    std::vector<T> x(static_cast<std::size_t>(n) * i, T(0.5)), w(static_cast<std::size_t>(o) * i, T(0.25)),
        z(static_cast<std::size_t>(n) * o, T(2));
    const auto three_products = [&] {
        product_forward(x.data(), w.data(), z.data(), n, i, o);
        product_weight_gradient(z.data(), x.data(), w.data(), n, i, o);
        product_input_gradient(z.data(), w.data(), x.data(), n, i, o, [](TileRange) {});
    };
    Threads arena(threads);
    arena.run([&] {
        for (int warm = 0; warm < 5; ++warm)
            three_products();
        const long before = allocations;
        for (int k = 0; k < 5; ++k)
            three_products();
        EXPECT_EQ(allocations - before, 0)
            << n << "x" << i << " * " << i << "x" << o << " on " << threads << " threads";
    });
}

}   // namespace

TEST(Allocations, AreCounted)
{
    const long before = allocations;
    std::vector<char> v(100);
    EXPECT_EQ(v.size(), 100u);
    EXPECT_EQ(allocations - before, 1);
}

TEST(Allocations, DoNotHappenInProducts)
{
    for (const int threads : {1, 2}) {
        expect_no_allocation<float>(100, 2, 100, threads);
        expect_no_allocation<float>(100, 100, 100, threads);
        expect_no_allocation<float>(128, 784, 1200, threads);
        expect_no_allocation<float>(1, 784, 1200, threads);
        expect_no_allocation<float>(3000, 500, 300, threads);
        expect_no_allocation<double>(128, 784, 600, threads);
        expect_no_allocation<double>(1500, 100, 100, threads);
    }
    expect_no_allocation<float>(32, 5000, 700, 1);
}

TEST(Allocations, DoNotHappenInLoops)
{
    Threads threads(2);
    threads.run([] {
        const auto loops = [] {
            parallel_for(100, [](std::size_t) {});
            static_cast<void>(
                parallel_sum(10000, 10, [](std::size_t begin, std::size_t) { return static_cast<double>(begin); }));
        };
        for (int warm = 0; warm < 20; ++warm)
            loops();
        const long before = allocations;
        for (int k = 0; k < 100; ++k)
            loops();
        EXPECT_EQ(allocations - before, 0);
    });
}

#endif
