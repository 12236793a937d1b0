// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "posterior/sample_set.h"
#include "runs/archive.h"
#include "unit/random_values.h"
#include "views/views.h"

#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

#include <filesystem>

using namespace credence;
using testing::HasSubstr;

namespace {

constexpr std::size_t n_draws = 12;

/// A snapshot whose posterior is an artificial set of draws around the start.
RunSnapshot snapshot_of_draws(const Study& study)
{
    const auto experiment = prepare(study);
    const auto means      = experiment->start->means();
    const auto noise      = normals(n_draws * means.size(), 21, 0.2);
    aligned_vector<float> draws(noise.size());
    for (std::size_t i = 0; i < draws.size(); ++i)
        draws[i] = means[i % means.size()] + static_cast<float>(noise[i]);
    SampleOrigin origin;
    for (std::size_t s = 0; s < n_draws; ++s) {
        origin.chains.push_back(static_cast<int>(s / 6));
        origin.steps.push_back(100 * static_cast<long>(s % 6 + 1));
    }
    auto snapshot             = std::make_shared<Snapshot>();
    snapshot->posterior       = std::make_shared<SampleSet>(experiment->start->layout(), std::move(draws), origin);
    snapshot->point.step      = 600;
    snapshot->point.data_loss = 0.5;
    snapshot->point.layers    = snapshot->posterior->describe();
    return {experiment, snapshot, std::make_shared<TrainingHistory>(TrainingHistory{snapshot->point})};
}

Study strokes_study()
{
    Study study                       = small_study("mean_field");
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 120;
    study.data.images.test_images     = 60;
    study.network.kind                = NetworkKind::layers;
    study.network.layers              = "conv 4 5, max 4, dense 12, relu";
    return study;
}

class ViewsOfSampleSets : public testing::TestWithParam<const char*> {
protected:
    static Study study()
    {
        const std::string of = GetParam();
        return of == "strokes"
                   ? strokes_study()
                   : small_study("mean_field", of == "curve" ? ToyKind::blundell_curve : ToyKind::two_moons);
    }
};

}   // namespace

TEST_P(ViewsOfSampleSets, EveryViewThatAppliesIsDrawn)
{
    const auto current = snapshot_of_draws(study());
    ViewOptions options;
    options.map.cells = 6;
    options.rows      = 20;
    int made          = 0;
    for (const auto& view : views()) {
        if (!view.applies(*current.experiment))
            continue;
        SCOPED_TRACE(view.id);
        const auto chart = view.make(current, options, {}).value();
        if (view.id == "certain_but_wrong") {   // there may be none
            EXPECT_THAT(chart.message, testing::AnyOf("", HasSubstr("images is wrong with certainty")));
            continue;
        }
        if (view.id == "overlay_training_curves") {   // of a snapshot alone, without training
            EXPECT_EQ(chart.message, "Nothing has been recorded yet. Train a few steps.");
            continue;
        }
        if (view.id == "loo") {
            EXPECT_THAT(chart.message, HasSubstr("expected at least 25"));
            continue;
        }
        EXPECT_EQ(chart.message, "");
        EXPECT_TRUE(!chart.panels.empty() || chart.table);
        EXPECT_THAT(chart.caption, HasSubstr("step 600"));
        EXPECT_FALSE(data_table(chart).columns.empty());
        ++made;
    }
    EXPECT_GE(made, 5);
}

TEST_P(ViewsOfSampleSets, AnArchiveKeepsThemBitForBit)
{
    const auto current = snapshot_of_draws(study());
    SavedRun run{.name      = "draws",
                 .started   = "2026-01-02T03:04:05+0100",
                 .study     = study(),
                 .report    = {},
                 .history   = *current.history,
                 .snapshots = {current.snapshot}};
    const auto file = std::filesystem::path(testing::TempDir()) / ("draws_of_" + std::string(GetParam()) + ".credence");
    save_run(run, file);
    const auto read  = load_run(file);
    const auto& want = dynamic_cast<const SampleSet&>(*current.snapshot->posterior);
    const auto* got  = sample_set_of(*read.snapshots.at(0)->posterior);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->layout(), want.layout());
    EXPECT_EQ(got->origin(), want.origin());
    EXPECT_THAT(got->numbers(), testing::ElementsAreArray(want.numbers()));
    EXPECT_EQ(read.snapshots[0]->point.step, 600);
}

INSTANTIATE_TEST_SUITE_P(All, ViewsOfSampleSets, testing::Values("moons", "curve", "strokes"));

TEST(ArchiveOfSampleSets, ASetNextToParametersOfAFamilyIsStoredAsWell)
{
    const auto current = snapshot_of_draws(small_study("mean_field"));
    auto start         = std::make_shared<Snapshot>();
    start->posterior   = current.experiment->start;
    const SavedRun run{.name      = "both",
                       .started   = "",
                       .study     = current.experiment->study,
                       .report    = {},
                       .history   = {},
                       .snapshots = {start, current.snapshot}};
    const auto file = std::filesystem::path(testing::TempDir()) / "both.credence";
    save_run(run, file);
    const auto read = load_run(file);
    EXPECT_FALSE(std::dynamic_pointer_cast<const SampleSet>(read.snapshots.at(0)->posterior));
    EXPECT_TRUE(std::dynamic_pointer_cast<const SampleSet>(read.snapshots.at(1)->posterior));
}
