// SPDX-License-Identifier: GPL-3.0-or-later
// Counts every allocation of this program. Sanitizers have their own allocators, so this test is skipped there.
#include "chains/chain.h"
#include "chains/network_density.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<long> allocations_of_chains = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size)
{
    ++allocations_of_chains;
    return __libc_malloc(size);
}
int posix_memalign(void** where, std::size_t alignment, std::size_t size)
{
    ++allocations_of_chains;
    *where = __libc_memalign(alignment, size);
    return *where == nullptr ? 12 : 0;
}
void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    ++allocations_of_chains;
    return __libc_memalign(alignment, size);
}
}

namespace credence::testing {
namespace {

TEST(ChainAllocations, AreCounted)
{
    const long before = allocations_of_chains;
    std::vector<char> v(100);
    EXPECT_EQ(v.size(), 100u);
    EXPECT_EQ(allocations_of_chains - before, 1);
}

TEST(ChainAllocations, DoNotHappenInTransitions)
{
    const Architecture net = mlp(40, {6}, 3, ActivationKind::tanh);
    std::vector<int> labels(50);
    for (int i = 0; i < 50; ++i)
        labels[i] = i % 3;
    const NetworkDensity density(net, {}, Prior::same(layout_of(net), GaussianPrior{}), normals<float>(2000, 1),
                                 {labels, {}});
    for (const MetricKind metric : {MetricKind::diagonal, MetricKind::dense})
        for (const bool nuts : {true, false}) {
            ChainOptions options;
            options.warmup.transitions = 100;
            options.warmup.metric      = metric;
            if (nuts)
                options.sampler = NutsOptions{.depth_limit = 6};
            else
                options.sampler = HmcOptions{.steps = 10};
            Chain chain(density.another(), normals(density.dimension(), 1, 0.1), options);
            while (chain.warming_up())
                chain.step();
            const std::size_t divergences = chain.divergences().size();
            const long before             = allocations_of_chains;
            for (int t = 0; t < 50; ++t)
                chain.step();
            EXPECT_EQ(allocations_of_chains - before,
                      static_cast<long>(chain.divergences().size() - divergences));   // each keeps its place
        }
}

}   // namespace
}   // namespace credence::testing

#endif
