// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "network/architecture.h"
#include "posterior/sample_set.h"
#include "prediction/set_predictions.h"

#include <gmock/gmock.h>

#include <algorithm>

// Long predictions report their progress and stop on request.
namespace credence {
namespace {

constexpr ImageShape small_image{1, 16, 16};
constexpr int n_images = 300, n_nets = 20, n_kinds = 4;
constexpr std::size_t values_of_block = std::size_t{n_nets} * n_kinds * 100;   // three blocks of images
constexpr double level_of_sets[]      = {0.95};

/// An ensemble of small LeNets whose weights are normal.
PosteriorPredictive ensemble_of_lenets()
{
    const Model model{.architecture = lenet_caffe(small_image, 10, n_kinds), .likelihood = Likelihood::categorical()};
    const auto layout = layout_of(model.architecture);
    aligned_vector<float> weights(n_nets * layout.size());
    standard_normals({4, Stream::data, 0}, 0, std::span<float>(weights));
    for (float& weight : weights)
        weight *= 0.05f;
    return {model, std::make_shared<SampleSet>(layout, std::move(weights)), n_nets, 7};
}

std::vector<float> some_images()
{
    std::vector<float> images(static_cast<std::size_t>(n_images) * small_image.size());
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(images));
    return images;
}

/// Predictions of the whole set in blocks, and the progress reports.
struct HeardPrediction {
    std::optional<SetPredictions> set;
    std::vector<double> shares;
};

/// @param stop_at  the share at which the prediction is asked to stop; above 1: never
HeardPrediction predict_and_listen(int threads, double stop_at = 2)
{
    HeardPrediction heard;
    const auto predictive = ensemble_of_lenets();
    const auto images     = some_images();
    Threads(threads).run([&] {
        std::stop_source source;
        const ProgressScope scope([&](double share) {
            heard.shares.push_back(share);
            if (share >= stop_at)
                source.request_stop();
        });
        heard.set = set_predictions(predictive, images, small_image.size(), level_of_sets, source.get_token(),
                                    values_of_block);
    });
    return heard;
}

/// Four draws of sixty-four images: the most that one task takes through the net.
constexpr double share_of_batch = 4.0 * 64 / (n_nets * n_images);

TEST(PredictionProgress, IncreasesInSmallStepsToOne)
{
    const auto heard = predict_and_listen(1);
    ASSERT_TRUE(heard.set);
    EXPECT_EQ(heard.set->classes.n_inputs, n_images);
    ASSERT_FALSE(heard.shares.empty());
    double last = 0;
    for (const double share : heard.shares) {
        EXPECT_GT(share, last);
        EXPECT_LE(share - last, share_of_batch + 1e-9);
        last = share;
    }
    EXPECT_NEAR(last, 1, 1e-9);
}

TEST(PredictionProgress, ObservingProgressChangesNoNumber)
{
    const auto one = predict_and_listen(1), three = predict_and_listen(3);
    ASSERT_TRUE(one.set && three.set);
    EXPECT_EQ(one.set->classes.mean, three.set->classes.mean);
    EXPECT_TRUE(std::is_sorted(three.shares.begin(), three.shares.end()));
    const auto unheard = set_predictions(ensemble_of_lenets(), some_images(), small_image.size(), level_of_sets, {},
                                         values_of_block);
    EXPECT_EQ(unheard->classes.mean, one.set->classes.mean);
}

TEST(PredictionProgress, AStopMidwayEndsWithinOneBatch)
{
    const auto heard = predict_and_listen(1, 0.4);
    EXPECT_FALSE(heard.set);
    ASSERT_FALSE(heard.shares.empty());
    EXPECT_LE(heard.shares.back(), 0.4 + share_of_batch) << "no batch was started after it";
    EXPECT_EQ(std::count_if(heard.shares.begin(), heard.shares.end(), [](double share) { return share >= 0.4; }), 1);
}

TEST(PredictionProgress, ASummaryReportsProgressAndStopsToo)
{
    const auto predictive = ensemble_of_lenets();
    const auto images     = some_images();
    std::stop_source source;
    std::vector<double> shares;
    PredictiveSummary whole, stopped;
    Threads(1).run([&] {
        const ProgressScope scope([&](double share) {
            shares.push_back(share);
            if (shares.size() == 2)
                source.request_stop();
        });
        stopped = predictive.summarise(images, n_images, source.get_token());
        EXPECT_EQ(shares.size(), 2u);
        whole = predictive.summarise(images, n_images);
    });
    EXPECT_EQ(stopped.n_inputs, 0);
    EXPECT_EQ(whole.n_inputs, n_images);
    EXPECT_NEAR(shares.back(), 1, 1e-9);
}

}   // namespace
}   // namespace credence
