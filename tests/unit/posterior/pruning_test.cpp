// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "posterior/pruning.h"
#include "posterior/sample_set.h"
#include "posteriors.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace credence {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Of weights of one block, by |mean|/sd.
template <class T>
std::vector<std::size_t> prune_by_snr(const std::vector<T>& mean, const std::vector<T>& sd, double share)
{
    return pruned_weights<T>({.share = share}, testing::layout_with({mean.size()}), mean, sd);
}

TEST(Pruning, RemovesTheSmallestSignalToNoiseRatios)
{
    const std::vector<double> mean{1, -3, 0.1, 2}, sd{1, 1, 1, 10};   // ratios 1, 3, 0.1, 0.2
    const auto removed = [&](double fraction) { return prune_by_snr<double>(mean, sd, fraction); };
    EXPECT_THAT(removed(0), IsEmpty());
    EXPECT_THAT(removed(0.25), ElementsAre(2));
    EXPECT_THAT(removed(0.5), ElementsAre(2, 3));
    EXPECT_THAT(removed(0.99), ElementsAre(0, 2, 3));
    EXPECT_THAT(removed(1), ElementsAre(0, 1, 2, 3));
}

TEST(Pruning, RemovesTheEarlierOfEqualRatios)
{
    const std::vector<float> mean{2, 1, -1, 1}, sd{1, 1, 1, 1};
    EXPECT_THAT((prune_by_snr<float>(mean, sd, 0.5)), ElementsAre(1, 2));
}

TEST(Pruning, AZeroWeightWithoutSpreadIsRemovedFirst)
{
    const std::vector<double> mean{3, 0, 0.1, 2, 0},
        sd{1, 0, 1, 0, 0};   // 0/0 is not a ratio; 2/0 is the largest of all
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.4)), ElementsAre(1, 4));
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.8)), ElementsAre(0, 1, 2, 4));
}

/// A layer of 3 weights and 1 bias, and one of 2 and 1.
std::vector<std::size_t> removed_by(const PruneRule& rule)
{
    static const auto layout = testing::layout_with({3, 1, 2, 1});
    const std::vector<double> mean{1, -3, 0.5, 0.25, 2, -4, 0.125}, sd{1, 1, 4, 0.5, 0.25, 8, 2};
    return pruned_weights<double>(rule, layout, mean, sd);   // |μ|/σ = 1, 3, 0.125, 0.5, 8, 0.5, 0.0625
}

TEST(Pruning, SupportsThreeOrders)
{
    const double three_of_seven = 0.45;
    EXPECT_THAT(removed_by({.share = three_of_seven, .by = PruneBy::signal_to_noise}), ElementsAre(2, 3, 6));
    EXPECT_THAT(removed_by({.share = three_of_seven, .by = PruneBy::magnitude}), ElementsAre(2, 3, 6));
    EXPECT_THAT(removed_by({.share = 0.6, .by = PruneBy::magnitude}), ElementsAre(0, 2, 3, 6));
    EXPECT_THAT(removed_by({.share = 0.6, .by = PruneBy::signal_to_noise}),
                ElementsAre(2, 3, 5, 6));   // −4 is large, and its σ is larger
    EXPECT_THAT(removed_by({.share = three_of_seven, .by = PruneBy::spread}), ElementsAre(2, 5, 6));
}

TEST(Pruning, CanPruneLayerByLayerAndKeepTheBiases)
{
    EXPECT_THAT(removed_by({.share = 0.5, .per_layer = true}), ElementsAre(2, 3, 6));                 // 2 of 4, 1 of 3
    EXPECT_THAT(removed_by({.share = 0.5, .biases = false}), ElementsAre(2, 5));                      // 2 of 5
    EXPECT_THAT(removed_by({.share = 0.5, .per_layer = true, .biases = false}), ElementsAre(2, 5));   // 1 of 3, 1 of 2
    EXPECT_THAT(removed_by({.share = 1, .biases = false}), ElementsAre(0, 1, 2, 4, 5));
    EXPECT_THAT(removed_by({.share = 0}), IsEmpty());
}

TEST(Pruning, OfWeightsWithSmallSpreadRemovesTheSmallestFirst)
{
    const std::vector<double> mean{3, -1, 2, 0.5}, sd{0, 0, 0, 1};   // |μ|/σ = ∞, ∞, ∞, 0.5
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.5)), ElementsAre(1, 3));
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.75)), ElementsAre(1, 2, 3));
}

TEST(Pruning, OrdersHaveNames)
{
    EXPECT_EQ(prune_by_named("signal_to_noise"), PruneBy::signal_to_noise);
    EXPECT_EQ(prune_by_named("magnitude"), PruneBy::magnitude);
    EXPECT_EQ(prune_by_named("spread"), PruneBy::spread);
    EXPECT_THAT([] { prune_by_named("snr"); },
                ::testing::ThrowsMessage<Error>(
                    "The pruning criterion is \"snr\", expected one of signal_to_noise, magnitude, spread."));
}

TEST(Pruning, IsDescribedInWords)
{
    EXPECT_EQ(words_of({.share = 0.95}), "95 % of weights removed by |μ|/σ");
    EXPECT_EQ(words_of({.share = 0.5, .by = PruneBy::spread, .per_layer = true, .biases = false}),
              "50 % of weights removed by σ (largest first), separately in each layer, biases kept");
}

TEST(Pruning, RejectsAShareOutsideZeroToOne)
{
    const std::vector<float> one{1};
    EXPECT_THROW((prune_by_snr<float>(one, one, 1.5)), Error);
    EXPECT_THROW((prune_by_snr<float>(one, one, -0.1)), Error);
}

}   // namespace

}   // namespace credence

namespace credence::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ParameterLayout& layout_to_prune()
{
    static const auto of_two_layers = layout_with({12, 4, 8, 2});
    return of_two_layers;
}

std::shared_ptr<const Posterior> whole_of_family(const std::string& name)
{
    return make_posterior<float>(layout_to_prune(), {.family = name}, some_means(layout_to_prune().size()));
}

std::shared_ptr<const SampleSet> set_to_prune(std::size_t n_draws)
{
    aligned_vector<float> draws(n_draws * layout_to_prune().size());
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(draws));
    return std::make_shared<SampleSet>(layout_to_prune(), std::move(draws));
}

struct MomentsOfPruned {
    std::vector<float> mean = std::vector<float>(layout_to_prune().size()), sd = mean;
    explicit MomentsOfPruned(const Posterior& posterior) { posterior.moments(mean, sd); }
};

std::vector<float> prediction_draw(const Posterior& posterior, std::uint32_t index)
{
    auto draw = posterior.make_draw();
    posterior.draw({3, Stream::prediction, index}, draw);
    return {draw.weights.begin(), draw.weights.end()};
}

/// Bit for bit: −0 is not 0.
bool same_bits(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::size_t count_removed(const PrunedPosterior& pruned, std::size_t block)
{
    const Block& b = layout_to_prune().blocks[block];
    return static_cast<std::size_t>(std::count(pruned.removed().begin() + static_cast<std::ptrdiff_t>(b.begin),
                                               pruned.removed().begin() + static_cast<std::ptrdiff_t>(b.end()), 1));
}

class PrunedFamily : public ::testing::TestWithParam<std::string> {};

TEST_P(PrunedFamily, ByNothingIsThePosteriorItselfBitForBit)
{
    const auto whole = whole_of_family(GetParam());
    const PrunedPosterior pruned(whole, {.share = 0});
    EXPECT_EQ(pruned.n_removed(), 0u);
    EXPECT_TRUE(same_bits(pruned.means(), whole->means()));
    const MomentsOfPruned a(pruned), b(*whole);
    EXPECT_TRUE(same_bits(a.mean, b.mean));
    EXPECT_TRUE(same_bits(a.sd, b.sd));
    for (std::uint32_t s = 0; s < 3; ++s)
        EXPECT_TRUE(same_bits(prediction_draw(pruned, s), prediction_draw(*whole, s)));
    EXPECT_EQ(pruned.covariance().index(), whole->covariance().index());
    EXPECT_EQ(pruned.noise_in(), whole->noise_in());
    EXPECT_EQ(pruned.different_draws(), whole->different_draws());
}

TEST_P(PrunedFamily, OfEverythingIsZero)
{
    const PrunedPosterior pruned(whole_of_family(GetParam()), {.share = 1});
    EXPECT_EQ(pruned.n_removed(), layout_to_prune().size());
    const MomentsOfPruned moments(pruned);
    EXPECT_THAT(moments.mean, Each(0.0f));
    EXPECT_THAT(moments.sd, Each(0.0f));
    EXPECT_THAT(prediction_draw(pruned, 1), Each(0.0f));
    for (const auto& block : pruned.describe()) {
        EXPECT_EQ(block.mean_abs, 0);
        EXPECT_EQ(block.median_sd, 0);
    }
}

TEST_P(PrunedFamily, DrawsAreZeroExactlyWhereWeightsArePruned)
{
    const auto whole = whole_of_family(GetParam());
    const PrunedPosterior pruned(whole, {.share = 0.5});
    EXPECT_EQ(pruned.n_removed(), layout_to_prune().size() / 2);
    const auto before = prediction_draw(*whole, 2), after = prediction_draw(pruned, 2);
    const MomentsOfPruned of_whole(*whole), of_pruned(pruned);
    for (std::size_t i = 0; i < layout_to_prune().size(); ++i) {
        const bool gone = pruned.removed()[i] != 0;
        EXPECT_EQ(after[i], gone ? 0 : before[i]) << i;
        EXPECT_EQ(of_pruned.mean[i], gone ? 0 : of_whole.mean[i]) << i;
        EXPECT_EQ(of_pruned.sd[i], gone ? 0 : of_whole.sd[i]) << i;
        EXPECT_EQ(pruned.means()[i], gone ? 0 : whole->means()[i]) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, PrunedFamily, ::testing::ValuesIn(every_family));

TEST(PrunedPosterior, OfASetHasZerosInEverySample)
{
    const auto whole = set_to_prune(5);
    const PrunedPosterior pruned(whole, {.share = 0.25});
    EXPECT_EQ(pruned.different_draws(), 5u);
    for (std::uint32_t s = 0; s < 5; ++s) {
        const auto before = prediction_draw(*whole, s), after = prediction_draw(pruned, s);
        for (std::size_t i = 0; i < layout_to_prune().size(); ++i)
            EXPECT_EQ(after[i], pruned.removed()[i] ? 0 : before[i]);
    }
    const auto covariance = pruned.covariance();
    const auto& form      = std::get<SampleCovariance>(covariance);
    ASSERT_EQ(form.draws.size(), 5 * layout_to_prune().size());
    for (std::size_t i = 0; i < form.draws.size(); ++i)
        EXPECT_EQ(form.draws[i], pruned.removed()[i % layout_to_prune().size()] ? 0 : whole->numbers()[i]);
    EXPECT_TRUE(same_bits(form.mean, pruned.means()));
}

TEST(PrunedPosterior, PrunesTheShareOfEachLayerOrOfAllTogether)
{
    const auto whole = whole_of_family("mean_field");   // layers of 12 + 4 and 8 + 2
    const PrunedPosterior each(whole, {.share = 0.5, .per_layer = true});
    EXPECT_EQ(count_removed(each, 0) + count_removed(each, 1), 8u);
    EXPECT_EQ(count_removed(each, 2) + count_removed(each, 3), 5u);
    const PrunedPosterior without_biases(whole, {.share = 0.5, .per_layer = true, .biases = false});
    EXPECT_EQ(count_removed(without_biases, 0), 6u);
    EXPECT_EQ(count_removed(without_biases, 1), 0u);
    EXPECT_EQ(count_removed(without_biases, 2), 4u);
    EXPECT_EQ(count_removed(without_biases, 3), 0u);
    const PrunedPosterior all_weights(whole, {.share = 1, .biases = false});
    EXPECT_EQ(all_weights.n_removed(), 20u);
}

TEST(PrunedPosterior, OfIndependentWeightsHasZeroVarianceForPrunedOnes)
{
    const auto whole = whole_of_family("mean_field");
    const PrunedPosterior pruned(whole, {.share = 0.5, .by = PruneBy::magnitude});
    const auto before = whole->covariance(), after = pruned.covariance();
    for (std::size_t i = 0; i < layout_to_prune().size(); ++i)
        EXPECT_EQ(std::get<IndependentCovariance>(after).variances[i],
                  pruned.removed()[i] ? 0 : std::get<IndependentCovariance>(before).variances[i]);
    EXPECT_TRUE(pruned.has_covariance());
    EXPECT_TRUE(std::holds_alternative<NoCovariance>(
        PrunedPosterior(whole_of_family("point_estimate"), {.share = 0.5}).covariance()));
}

/// ln det of the rows and columns of a tridiagonal matrix that are left, by elimination of the dense matrix.
double log_det_of_kept(const NeighbourCovariance& block, std::span<const char> removed)
{
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < block.diagonal.size(); ++i)
        if (!removed[i])
            kept.push_back(i);
    const std::size_t n = kept.size();
    std::vector<double> a(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        a[i * n + i] = block.diagonal[kept[i]];
        if (i + 1 < n && kept[i + 1] == kept[i] + 1)
            a[i * n + i + 1] = a[(i + 1) * n + i] = block.off_diagonal[kept[i]];
    }
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
        sum += std::log(a[k * n + k]);
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = n; j-- > k;)
                a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
    }
    return sum;
}

TEST(PrunedPosterior, OfNeighboursDropsRowsAndColumnsAndReportsTheRemainingDeterminant)
{
    const auto whole = make_posterior<float>(layout_to_prune(), {.family = "tridiagonal", .initial_rho = {0.3}},
                                             some_means(layout_to_prune().size()));
    const PrunedPosterior pruned(std::shared_ptr<const Posterior>(whole->clone()),
                                 {.share = 0.4, .by = PruneBy::magnitude});
    const auto before = whole->covariance(), after = pruned.covariance();
    for (std::size_t b = 0; b < layout_to_prune().blocks.size(); ++b) {
        const auto &was = std::get<NeighbourCovariances>(before).blocks[b],
                   &is  = std::get<NeighbourCovariances>(after).blocks[b];
        const auto gone = pruned.removed().subspan(layout_to_prune().blocks[b].begin, layout_to_prune().blocks[b].size);
        double variances = 0;
        for (std::size_t i = 0; i < was.diagonal.size(); ++i) {
            EXPECT_EQ(is.diagonal[i], gone[i] ? 0 : was.diagonal[i]);
            if (i + 1 < was.diagonal.size()) {
                EXPECT_EQ(is.off_diagonal[i], gone[i] || gone[i + 1] ? 0 : was.off_diagonal[i]);
            }
            variances += gone[i] ? 0 : std::log(was.diagonal[i]);
        }
        EXPECT_NEAR(is.log_determinant, log_det_of_kept(was, gone), 1e-9);
        EXPECT_NEAR(is.log_det_correlation, is.log_determinant - variances, 1e-9);
    }
}

TEST(PrunedPosterior, WithoutSpreadOrdersWeightsBySizeAndStatesThis)
{
    const PrunedPosterior pruned(whole_of_family("bernoulli_dropout"), {.share = 0.5, .by = PruneBy::signal_to_noise}),
        by_size(whole_of_family("bernoulli_dropout"), {.share = 0.5, .by = PruneBy::magnitude});
    EXPECT_EQ(pruned.rule().by, PruneBy::magnitude);
    EXPECT_TRUE(std::equal(pruned.removed().begin(), pruned.removed().end(), by_size.removed().begin()));
}

TEST(PrunedPosterior, DescribesTheWeightsThatAreLeft)
{
    const auto whole = whole_of_family("mean_field");
    const PrunedPosterior pruned(whole, {.share = 0.5, .per_layer = true});
    const auto layers = pruned.describe();
    const MomentsOfPruned moments(*whole);
    for (std::size_t b = 0; b < layers.size(); ++b) {
        double sum    = 0;
        std::size_t n = 0;
        for (std::size_t i = layout_to_prune().blocks[b].begin; i < layout_to_prune().blocks[b].end(); ++i)
            if (!pruned.removed()[i]) {
                sum += std::fabs(static_cast<double>(moments.mean[i]));
                ++n;
            }
        EXPECT_NEAR(layers[b].mean_abs, n == 0 ? 0 : sum / static_cast<double>(n), 1e-6) << b;
    }
    const auto of_tau = PrunedPosterior(whole_of_family("tridiagonal"), {.share = 0.5}).describe();
    EXPECT_EQ(of_tau.front().tau, whole_of_family("tridiagonal")->describe().front().tau);
}

TEST(PrunedPosterior, RejectsAnInvalidShare)
{
    EXPECT_THAT([] { PrunedPosterior(whole_of_family("mean_field"), {.share = 95}); },
                ::testing::ThrowsMessage<Error>(HasSubstr("is 95, expected a number in [0, 1]")));
}

TEST(PrunedPosterior, WholeOfReturnsTheOriginalPosterior)
{
    const auto whole = whole_of_family("mean_field");
    EXPECT_EQ(whole_of(whole), whole);
    EXPECT_EQ(whole_of(std::make_shared<PrunedPosterior>(whole, PruneRule{.share = 0.5})), whole);
}

}   // namespace
}   // namespace credence::testing
