// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_of_file.h"

#include "foundation/parallel.h"
#include "logits_npz.h"
#include "random/noise.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

using namespace credence;
using namespace logits_npz;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct Opened {
    Bytes bytes;
    std::shared_ptr<const LogitsFile> file;
    explicit Opened(const std::vector<ZipMember>& members)
        : bytes(zip_of(members)), file(LogitsFile::open("a.npz", bytes))
    {}
};

std::vector<ZipMember> random_rows(std::size_t n, std::size_t K)
{
    std::vector<double> mean(n * K), spread(n * K);
    standard_normals({.seed = 1, .stream = Stream::logits, .index = 0}, 0, std::span(mean));
    uniforms({.seed = 1, .stream = Stream::logits, .index = 1}, 0, std::span(spread));
    return {doubles("mean", {n, K}, mean), doubles("variance", {n, K}, spread)};
}

}   // namespace

TEST(BridgeOfFile, CountsTheBridgeResultsRowByRow)
{
    const Opened opened(four_rows());
    std::vector<BridgedRow> rows;
    const auto totals = bridge_of_file(opened.file, {.variant = BridgeVariant::plain, .threshold = 0.05}, {},
                                       [&](const BridgedBlock& block) {
        rows.insert(rows.end(), block.rows.begin(), block.rows.end());
        for (std::size_t i = 0; i < block.n; ++i) {   // the same by the functions for one Gaussian
            const auto logits       = LogitsReader(opened.file).row(block.first + i);
            const auto distribution = bridge(logits, BridgeVariant::plain).dirichlet();
            const auto list         = uncertain_top_k(distribution, 0.05);
            EXPECT_EQ(std::vector(block.alpha.begin() + static_cast<long>(3 * i),
                                  block.alpha.begin() + static_cast<long>(3 * i + 3)),
                      distribution.alpha())
                << i;
            EXPECT_EQ(block.lists[i], list.selected) << i;
            EXPECT_EQ(block.rows[i].list_length, static_cast<int>(list.selected.size())) << i;
        }
    });
    ASSERT_TRUE(totals);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(totals->n, 4u);
    EXPECT_DOUBLE_EQ(*totals->top_1, 0.5) << "rows 0 and 1";
    EXPECT_DOUBLE_EQ(*totals->top_k, 0.75) << "and row 2 by its list";
    EXPECT_DOUBLE_EQ(totals->mean_length, (1 + 3 + 3 + 1) / 4.0);
    EXPECT_THAT(totals->lengths, ElementsAre(0, 2, 0, 2));
    EXPECT_NEAR(totals->mmc,
                (double{rows[0].confidence} + rows[1].confidence + rows[2].confidence + rows[3].confidence) / 4, 1e-9);
    EXPECT_GT(rows[0].confidence, 0.98);
}

TEST(BridgeOfFile, WithoutLabelsHasNoAccuracy)
{
    const Opened opened({doubles("mean", {1, 2}, {1, 0}), doubles("variance", {1, 2}, {1, 1})});
    const auto totals = bridge_of_file(opened.file, {});
    EXPECT_FALSE(totals->top_1.has_value());
    EXPECT_FALSE(totals->top_k.has_value());
}

TEST(BridgeOfFile, GivesTheSameBitsOnAnyNumberOfThreads)
{
    const Opened opened(random_rows(300, 7));
    std::vector<double> first;
    for (const int threads : {1, 2, 7}) {
        std::vector<double> alpha;
        std::optional<BridgeTotals> totals;
        Threads(threads).run([&] {
            totals = bridge_of_file(opened.file, {.variant = BridgeVariant::projected}, {},
                                    [&](const BridgedBlock& block) {
                alpha.insert(alpha.end(), block.alpha.begin(), block.alpha.end());
            });
        });
        alpha.push_back(totals->mean_length);
        alpha.push_back(totals->mmc);
        if (first.empty())
            first = alpha;
        EXPECT_EQ(alpha, first) << threads;
    }
}

TEST(BridgeOfFile, NamesTheRowWhoseAlphaOverflows)
{
    const Opened opened({doubles("mean", {2, 2}, {0, 0, 1500, 0}), doubles("variance", {2, 2}, {1, 1, 1, 1})});
    EXPECT_THAT(refusal([&] { bridge_of_file(opened.file, {}); }),
                HasSubstr("a.npz, row 1: Laplace bridge: ln alpha of class 0 is 1498.61, expected a number between"));
}

TEST(BridgeOfFile, StopsOnRequestAndReportsItsProgress)
{
    const Opened opened(random_rows(50, 3));
    std::stop_source stop;
    std::vector<double> shares;
    EXPECT_TRUE(bridge_of_file(opened.file, {}, stop.get_token(), {}, [&](double share) { shares.push_back(share); }));
    EXPECT_THAT(shares, ElementsAre(1.0));
    stop.request_stop();
    EXPECT_FALSE(bridge_of_file(opened.file, {}, stop.get_token()));
}

TEST(BridgeVariants, AreFoundByNameAndExplained)
{
    for (const auto variant : bridge_variants) {
        EXPECT_EQ(bridge_variant_named(name(variant)), variant);
        EXPECT_STRNE(hint(variant), "");
    }
    EXPECT_EQ(refusal([] { bridge_variant_named("other"); }),
              "The variant of the bridge is \"other\", expected one of plain, conditioned, projected, "
              "conditioned_normalised, projected_normalised.");
}
