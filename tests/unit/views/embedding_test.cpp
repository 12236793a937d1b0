// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/embedding.h"

#include "foundation/parallel.h"
#include "network/network.h"
#include "posterior/sample_set.h"
#include "runs/other_data.h"
#include "views/view_support.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// Calls use(points) for all points of a chart that stand for rows.
template <class Use>
void for_points_with_rows(const Chart& chart, Use use)
{
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* points = std::get_if<Points>(&series); points && !points->data_rows.empty())
            use(*points);
}

}   // namespace

TEST(Embedding, IsTheInputOfTheLastLayer)
{
    const auto& experiment = *moons().experiment;
    const auto weights     = embedding_weights(*moons().snapshot->posterior);
    const auto& inputs     = experiment.data->test_inputs;
    const auto features    = hidden_features(experiment, weights, inputs);
    const std::size_t n    = experiment.data->test.n_rows;
    ASSERT_EQ(features.size(), n * 8);
    const Network<float> network(experiment.model.architecture);
    Network<float>::Workspace workspace(network, static_cast<int>(n));
    const auto outputs = network.forward(weights, inputs.data(), static_cast<int>(n), workspace);
    const auto& last   = network.layout().layer(1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < 2; ++k) {   // W h + b are the logits
            double z = static_cast<double>(weights[last.biases.begin + k]);
            for (std::size_t j = 0; j < 8; ++j)
                z += static_cast<double>(weights[last.weights.begin + 8 * k + j]) * features[8 * i + j];
            EXPECT_NEAR(z, static_cast<double>(outputs[2 * i + k]), 1e-5);
        }
    for (const int threads : {1, 2, 7})
        Threads(threads).run([&] { EXPECT_EQ(hidden_features(experiment, weights, inputs), features); });
}

TEST(Embedding, HasTrainingTestAndHollowOodRowsByTwoComponents)
{
    const auto chart = drawn("embedding", moons());
    std::map<DataRow::Part, std::size_t> n;
    for_points_with_rows(chart, [&](const Points& points) {
        n[points.data_rows.front().part] += points.data_rows.size();
        EXPECT_EQ(points.x.size(), points.data_rows.size());
        EXPECT_EQ(points.filled, points.data_rows.front().part != DataRow::Part::ood);
        if (points.data_rows.front().part != DataRow::Part::ood) {
            const auto& data = points.data_rows.front().part == DataRow::Part::training
                                   ? moons().experiment->data->training
                                   : moons().experiment->data->test;
            for (const auto& row : points.data_rows)
                EXPECT_EQ(data.labels[row.row], points.tone.index);
        }
    });
    EXPECT_EQ(n[DataRow::Part::training], moons().experiment->data->training.n_rows);
    EXPECT_EQ(n[DataRow::Part::scored], moons().experiment->data->test.n_rows);
    EXPECT_EQ(n[DataRow::Part::ood], 1000u);
    const auto embedded = embedding(moons(), {});
    EXPECT_EQ(embedded->ood.rows[1], 2u) << "evenly spaced over 2,000";
    EXPECT_LE(embedded->components.share(0) + embedded->components.share(1), 1 + 1e-9);
    EXPECT_THAT(chart.panels[0].x.label, HasSubstr("First component ("));
    EXPECT_THAT(chart.caption, HasSubstr("The last hidden layer (8 units) of 48 training rows (circles), 12 test rows "
                                         "(diamonds) and 1,000 out-of-distribution rows (hollow; points beyond the "
                                         "data), at the mean weights of the posterior."));
}

TEST(Embedding, ListsTheNearestTrainingRowsOfTheSelectedInputAndLinksThem)
{
    ViewOptions options;
    options.input.row   = 5;
    const auto chart    = drawn("embedding", moons(), options);
    const auto embedded = embedding(moons(), {});
    const auto& test    = embedded->test.features;
    const std::vector<double> input(test.begin() + 5 * 8, test.begin() + 6 * 8);
    ASSERT_EQ(chart.table->rows.size(), 5u);
    double before = 0;
    for (std::size_t k = 0; k < 5; ++k) {
        const auto row = chart.table->data_rows[k];
        EXPECT_EQ(row.part, DataRow::Part::training);
        EXPECT_EQ(chart.table->rows[k][0], Cell(static_cast<long>(row.row)));
        double square = 0;   // all training rows are drawn: row i is at i
        for (std::size_t j = 0; j < 8; ++j)
            square += std::pow(embedded->training.features[8 * row.row + j] - input[j], 2);
        const double distance = std::get<double>(chart.table->rows[k][1]);
        EXPECT_NEAR(distance, std::sqrt(square), 1e-5);
        EXPECT_GE(distance, before);
        before = distance;
    }
    const auto training = moons().experiment->data->training.row(7);
    options.input.values.assign(training.begin(), training.end());
    const auto itself = drawn("embedding", moons(), options);
    EXPECT_EQ(itself.table->rows[0][0], Cell(7L));
    EXPECT_NEAR(std::get<double>(itself.table->rows[0][1]), 0, 1e-5);
}

TEST(Embedding, ByUncertaintyHasFiveLevelsOfAboutEquallyManyRows)
{
    for (const auto kind : {ToyKind::two_moons, ToyKind::cubic}) {
        const auto run = snapshot_of(small_study("mean_field", kind));
        ViewOptions options;
        options.embedding_colour = EmbeddingColour::uncertainty;
        const auto chart         = drawn("embedding", run, options);
        std::array<double, n_levels> share{};
        for_points_with_rows(chart, [&](const Points& points) {
            ASSERT_EQ(points.tone.kind, Tone::Kind::level);
            share.at(static_cast<std::size_t>(points.tone.index)) += static_cast<double>(points.x.size()) / 1060;
        });
        for (const double one : share)
            EXPECT_NEAR(one, 0.2, 0.01);
        EXPECT_THAT(chart.caption,
                    HasSubstr(kind == ToyKind::cubic ? "Colour: standard deviation of f" : "Colour: epistemic part"));
    }
}

TEST(Embedding, OfASampleSetUsesTheFirstSample)
{
    const auto& layout = moons().snapshot->posterior->layout();
    aligned_vector<float> draws(2 * layout.size(), 0.5F);
    std::fill(draws.begin() + static_cast<std::ptrdiff_t>(layout.size()), draws.end(), -0.5F);
    const SampleSet set(layout, draws);
    EXPECT_THAT(embedding_weights(set), testing::Each(0.5F));
}

TEST(Embedding, NeedsAHiddenLayerAndWithoutATestSetItsRowsAreTheScoredOnes)
{
    auto study           = small_study("mean_field");
    study.network.hidden = {};
    const auto flat      = snapshot_of(study);
    EXPECT_EQ(refusal_of("embedding", flat), "This network has no hidden layer. Add one under Network.");
    auto all                = small_study("mean_field");
    all.split.test_fraction = 0;
    for_points_with_rows(drawn("embedding", snapshot_of(all)), [](const Points& points) {
        EXPECT_NE(points.data_rows.front().part, DataRow::Part::training);
    });
}
