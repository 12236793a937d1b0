// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"
#include "network/architecture.h"
#include "network/network.h"
#include "runs/experiment.h"
#include "study/study.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

using ::testing::StartsWith;

namespace credence {
namespace {

Study prepared_signs(std::initializer_list<const char*> assignments)
{
    Study study;
    for (const char* first : {"data.source=traffic_signs", "data.training_images=60", "data.test_images=20",
                              "data.pixels=divide_255", "network.kind=signs_lenet", "posterior.family=point_estimate"})
        set_field(study, first);
    for (const char* assignment : assignments)
        set_field(study, assignment);
    return study;
}

std::string layers_in(std::initializer_list<const char*> assignments)
{
    return layers_text(prepare(prepared_signs(assignments))->model.architecture);
}

TEST(StepsOfData, PrecedeTheNetwork)
{
    EXPECT_THAT(layers_in({}), StartsWith("conv 6 5, relu, max 2"));
    EXPECT_THAT(layers_in({"data.grey=true"}), StartsWith("grey, conv 6 5"));
    EXPECT_THAT(layers_in({"data.grey=true", "data.local_normalisation=9"}),
                StartsWith("grey, localnorm 9 0.02, conv 6 5"));
    EXPECT_THAT(layers_in({"data.local_normalisation=5"}), StartsWith("localnorm 5 0.02, conv 6 5"));
    EXPECT_THAT(layers_in({"data.grey=true", "data.local_normalisation=9", "posterior.family=bernoulli_dropout"}),
                ::testing::ContainsRegex("grey, localnorm 9 [0-9.]+, dropout [0-9.]+, conv 6 5"));
    EXPECT_THAT(layers_in({"data.grey=true", "network.kind=mlp", "network.hidden=5"}), StartsWith("grey, dense 5"));
}

TEST(StepsOfData, GreyImagesNeedNoGrey)
{
    EXPECT_THAT(layers_in({"data.source=strokes", "data.local_normalisation=9"}), StartsWith("localnorm 9"));
}

TEST(StepsOfData, DoNotChangeTheData)
{
    const auto plain = prepare(prepared_signs({}));
    const auto both  = prepare(prepared_signs({"data.grey=true", "data.local_normalisation=9"}));
    EXPECT_EQ(both->data->image, (ImageShape{3, 32, 32}));
    EXPECT_EQ(both->data->test_inputs, plain->data->test_inputs);
    EXPECT_EQ(layout_of(both->model.architecture).blocks[0].fan_in, 25);
    EXPECT_EQ(layout_of(plain->model.architecture).blocks[0].fan_in, 75);
}

/// The predictions for images equal those of the same network without preprocessing for images prepared by hand.
TEST(StepsOfData, GiveTheNetworkThePreparedImage)
{
    const auto experiment          = prepare(prepared_signs({"data.grey=true", "data.local_normalisation=9"}));
    const Architecture& with_steps = experiment->model.architecture;
    Architecture without           = with_steps;
    without.layers.erase(without.layers.begin(), without.layers.begin() + 2);
    without.image   = ImageShape{1, 32, 32};
    without.inputs  = 1024;
    constexpr int n = 7;
    std::vector<float> prepared;
    LocalNormalisation local(32, 32, 9, std::get<LocalNorm>(with_steps.layers[1]).floor);
    for (int i = 0; i < n; ++i) {
        const float* x = experiment->data->test_inputs.data() + i * 3072;
        std::vector<float> grey(1024), out(1024);
        for (int p = 0; p < 1024; ++p)
            grey[static_cast<std::size_t>(p)] = static_cast<float>(0.299 * x[p] + 0.587 * x[1024 + p]
                                                                   + 0.114 * x[2048 + p]);
        local.values(grey.data(), out.data());
        prepared.insert(prepared.end(), out.begin(), out.end());
    }
    const Network<float> net(with_steps), plain(without);
    const auto weights = normals<float>(net.layout().size(), 6, 0.05);
    Network<float>::Workspace one(net, n), other(plain, n);
    const auto found  = net.forward(weights, experiment->data->test_inputs.data(), n, one);
    const auto wanted = plain.forward(weights, prepared.data(), n, other);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], wanted[i], 1e-4) << i;
}

/// An attack's gradient passes through preprocessing to the pixels: compared with central
/// differences, with a convolution after it and with dense layers alone.
TEST(StepsOfData, PassGradientsToThePixels)
{
    const std::vector<std::vector<Layer>> nets{
        {Grey{}, LocalNorm{3, 0.4}, Conv2d{2, 3}, Activation{ActivationKind::tanh}, Dense{2}},
        {Grey{}, LocalNorm{5, 0.4}, Dense{4}, Activation{ActivationKind::tanh}, Dense{2}}};
    for (const auto& layers : nets) {
        const Network<double> net(Architecture{3 * 6 * 7, layers, ImageShape{3, 6, 7}});
        constexpr int n    = 3;
        const auto weights = normals(net.layout().size(), 3, 0.5);
        auto x             = normals(std::size_t{n} * 126, 4, 0.7);
        const auto dz      = normals(std::size_t{n} * 2, 5);
        Network<double>::Workspace workspace(net, n);
        const auto weighted = [&] {
            const auto z = net.forward(weights, x.data(), n, workspace);
            double sum   = 0;
            for (std::size_t i = 0; i < z.size(); ++i)
                sum += z[i] * dz[i];
            return sum;
        };
        weighted();
        std::vector<double> of_weights(weights.size()), of_inputs(x.size());
        net.backward(weights, dz, workspace, of_weights, of_inputs);
        for (std::size_t i = 0; i < x.size(); i += 11) {
            constexpr double h = 1e-5;
            const double at    = x[i];
            x[i]               = at + h;
            const double up    = weighted();
            x[i]               = at - h;
            const double down  = weighted();
            x[i]               = at;
            EXPECT_NEAR(of_inputs[i], (up - down) / (2 * h), 1e-7) << i;
        }
    }
}

/// Preprocessing without weights is done once for all draws: the same bits as draw by draw, with and without dropout.
TEST(StepsOfData, ManyDrawsEqualEachSeparately)
{
    for (const char* family : {"posterior.family=point_estimate", "posterior.family=bernoulli_dropout"}) {
        const auto experiment = prepare(prepared_signs({"data.grey=true", "data.local_normalisation=5", family}));
        const Network<float> net(experiment->model.architecture);
        constexpr int n = 19;
        std::vector<std::vector<float>> draws;
        for (std::uint64_t s = 0; s < 3; ++s)
            draws.push_back(normals<float>(net.layout().size(), 11 + s, 0.05));
        std::vector<std::span<const float>> weights(draws.begin(), draws.end());
        std::vector<DropoutNoise> masks;
        for (std::uint32_t s = 0; experiment->model.dropout_at_prediction && s < 3; ++s)
            masks.push_back({{7, Stream::prediction_dropout, s}, 4});
        Network<float>::Workspace many(net, n, 3), one(net, n, 1), plain(net, n);
        const float* x = experiment->data->test_inputs.data();
        net.forward_draws(weights, x, n, many, masks, [&](std::size_t s, std::span<const float> z) {
            const auto mask = masks.empty() ? std::span<const DropoutNoise>() : std::span(masks).subspan(s, 1);
            net.forward_draws(std::span(weights).subspan(s, 1), x, n, one, mask,
                              [&](std::size_t, std::span<const float> want) {
                for (std::size_t i = 0; i < z.size(); ++i)
                    ASSERT_EQ(z[i], want[i]) << family << ", draw " << s << ", output " << i;
            });
            const auto want = net.forward(weights[s], x, n, plain,
                                          masks.empty() ? std::nullopt : std::optional(masks[s]));
            for (std::size_t i = 0; i < z.size(); ++i)
                ASSERT_EQ(z[i], want[i]) << family << ", draw " << s << ", output " << i;
        });
    }
}

}   // namespace
}   // namespace credence
