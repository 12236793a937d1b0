// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/conformal_sets.h"

#include "foundation/error.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/intervals.h"
#include "views/recalibration_fit.h"
#include "views/run_summary.h"
#include "views/scored_predictions.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace credence;
using namespace credence::view_support;
using testing::HasSubstr;

namespace {

Study conformal_study(ToyKind kind, double fraction = 0.5)
{
    Study study                      = small_study("mean_field", kind);
    study.data.toy.n                 = 200;
    study.split.test_fraction        = 0.4;
    study.split.calibration_fraction = fraction;
    study.prediction.level           = 0.8;
    return study;
}

/// The same trained run with another conformal score.
RunSnapshot with_score(RunSnapshot run, ConformalScore score, ConformalBy by = ConformalBy::all)
{
    Study study                      = run.experiment->study;
    study.prediction.conformal.score = score;
    study.prediction.conformal_by    = by;
    run.experiment                   = with_study(*run.experiment, study);
    return run;
}

const RunSnapshot& conformal_moons()
{
    static const auto run = snapshot_of(conformal_study(ToyKind::two_moons));
    return run;
}

const RunSnapshot& conformal_cubic()
{
    static const auto run = snapshot_of(conformal_study(ToyKind::cubic));
    return run;
}

double conformal_cell(const Table& table, std::size_t row, int column)
{
    return std::get<double>(table.rows.at(row).at(static_cast<std::size_t>(column)));
}

std::optional<double> score_named(const Table& table, const std::string& name)
{
    for (const auto& row : table.rows)
        if (std::get<std::string>(row[0]) == name)
            return std::get<double>(row[1]);
    return {};
}

}   // namespace

TEST(ConformalView, StatesWhyThereIsNothingToShow)
{
    EXPECT_THAT(*why_no_conformal(*conformal_moons().experiment), HasSubstr("No conformal score is set"));
    EXPECT_THAT(*why_no_conformal(*with_score(conformal_moons(), ConformalScore::cqr).experiment),
                HasSubstr("needs a numeric target"));
    EXPECT_THAT(*why_no_conformal(*with_score(conformal_cubic(), ConformalScore::aps).experiment),
                HasSubstr("need classes"));
    EXPECT_THAT(*why_no_conformal(*with_score(moons(), ConformalScore::aps).experiment),
                HasSubstr("split.calibration_fraction"));
    EXPECT_FALSE(why_no_conformal(*with_score(conformal_moons(), ConformalScore::thr).experiment));
}

TEST(ConformalView, ThresholdIsTheScoreOfACalibrationRow)
{
    const auto run         = with_score(conformal_cubic(), ConformalScore::absolute);
    const auto calibration = conformal_calibration(run, {}, {});
    const auto n           = run.experiment->data->calibration.n_rows;
    ASSERT_EQ(calibration->n, n);
    const auto& scores = calibration->scores.front();
    EXPECT_TRUE(std::is_sorted(scores.begin(), scores.end()));
    const auto rank = static_cast<std::size_t>(std::ceil(0.8 * static_cast<double>(n + 1) - 1e-9));
    EXPECT_EQ(calibration->threshold(0, 0.8), scores[rank - 1]);
    EXPECT_EQ(calibration->threshold(0, 0.9999), INFINITY);
    EXPECT_EQ(calibration->threshold({}, 0.5), INFINITY);   // a group without calibration rows
}

TEST(CalibrationHalves, NeverDivideAGroup)
{
    std::vector<std::uint32_t> groups;
    for (std::uint32_t i = 0; i < 300; ++i)
        groups.push_back(i * i % 37);
    const auto halves = calibration_halves(groups, groups.size());
    std::map<std::uint32_t, std::set<CalibrationUse>> halves_of;
    for (std::size_t row = 0; row < groups.size(); ++row)
        halves_of[groups[row]].insert(halves[row]);
    for (const auto& [group, some] : halves_of)
        EXPECT_EQ(some.size(), 1u) << group;
    EXPECT_NEAR(static_cast<double>(std::ranges::count(halves, CalibrationUse::conformal)), 150, 10);

    const auto by_rows = calibration_halves({}, 8);
    EXPECT_EQ(std::ranges::count(by_rows, CalibrationUse::conformal), 4);
    const std::vector<std::uint32_t> one_group(8, 3);
    EXPECT_THAT([&] { calibration_halves(one_group, 8); },
                testing::ThrowsMessage<Error>(HasSubstr("found one group, expected at least 2")));
}

TEST(CalibrationHalves, OfGroupsAreTheRowsOfRecalibrationAndOfConformalScores)
{
    auto run                       = with_score(conformal_cubic(), ConformalScore::absolute);
    auto study                     = run.experiment->study;
    study.prediction.recalibration = RecalibrationKind::sigma;
    auto grouped                   = std::make_shared<Experiment>(*with_study(*run.experiment, study));
    auto data                      = std::make_shared<SplitData>(*grouped->data);
    const std::size_t n            = data->calibration.n_rows;
    for (std::size_t row = 0; row < n; ++row)
        data->calibration_groups.push_back(row < n / 4 ? 0 : 1 + static_cast<std::uint32_t>(row % 5));
    grouped->data  = data;
    run.experiment = grouped;
    const auto own = calibration_rows_for(CalibrationUse::conformal, *grouped, n),
               fit = calibration_rows_for(CalibrationUse::recalibration, *grouped, n);
    EXPECT_EQ(own.size() + fit.size(), n);
    EXPECT_EQ(conformal_calibration(run, {}, {})->n, own.size());
    const auto samples = calibration_samples(run, {}).value();
    ASSERT_EQ(samples.n_rows, fit.size());
    for (std::size_t i = 0; i < fit.size(); ++i)
        EXPECT_EQ(samples.targets[i], data->calibration.targets[fit[i]]);
}

TEST(ConformalView, TableOfRowsScoresAndViewAgreeForClasses)
{
    for (const auto score : {ConformalScore::thr, ConformalScore::aps, ConformalScore::raps}) {
        const auto run   = with_score(conformal_moons(), score);
        const auto table = drawn("test_rows", run).table.value();
        const int column = test_row::probable + 1;
        ASSERT_EQ(table.columns[static_cast<std::size_t>(column)].name, test_row::conformal_set);
        EXPECT_EQ(test_row::first_feature(table), column + 1);
        double covered = 0, size = 0;
        for (const auto& row : table.rows) {
            const auto set   = std::get<std::string>(row[static_cast<std::size_t>(column)]);
            const auto truth = std::get<std::string>(row[test_row::truth]);
            covered += set.find(truth) != std::string::npos ? 1 : 0;
            size += set == "{}" ? 0 : 1 + static_cast<double>(std::count(set.begin(), set.end(), ','));
        }
        const double n    = static_cast<double>(table.rows.size());
        const auto scores = credence::scores(run);
        EXPECT_DOUBLE_EQ(*score_named(scores, "Coverage of the 80 % conformal sets"), covered / n);
        EXPECT_NEAR(*score_named(scores, "Mean size of the conformal sets"), size / n, 1e-12);
        const auto chart = drawn("conformal", run);
        EXPECT_DOUBLE_EQ(conformal_cell(*chart.table, 0, 2), covered / n);
        const auto range = share_interval(std::lround(covered), std::lround(n));
        EXPECT_DOUBLE_EQ(conformal_cell(*chart.table, 0, 3), range.first);
        EXPECT_THAT(chart.caption, HasSubstr("not for OOD rows"));
    }
}

TEST(ConformalView, TableOfRowsScoresAndViewAgreeForNumbers)
{
    for (const auto score : {ConformalScore::absolute, ConformalScore::normalised, ConformalScore::cqr}) {
        const auto run   = with_score(conformal_cubic(), score);
        const auto table = drawn("test_rows", run).table.value();
        const int lower = test_row::function_sd + 1, upper = lower + 1;
        EXPECT_EQ(test_row::first_feature(table), upper + 1);
        double covered = 0, width = 0;
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const double low = conformal_cell(table, i, lower), high = conformal_cell(table, i, upper),
                         y = conformal_cell(table, i, test_row::truth);
            covered += low <= y && y <= high ? 1 : 0;
            width += high - low;
        }
        const double n    = static_cast<double>(table.rows.size());
        const auto scores = credence::scores(run);
        EXPECT_DOUBLE_EQ(*score_named(scores, "Coverage of the 80 % conformal intervals"), covered / n);
        EXPECT_NEAR(*score_named(scores, "Mean width of the conformal intervals"), width / n, 1e-6 * width / n);
    }
}

TEST(ConformalView, NormalisedIntervalsAreAsWideAsTheSpreadAndAbsoluteOnesAllTheSame)
{
    const auto absolute   = conformal_evaluation(with_score(conformal_cubic(), ConformalScore::absolute), {}, {});
    const auto normalised = conformal_evaluation(with_score(conformal_cubic(), ConformalScore::normalised), {}, {});
    const double limit    = normalised->calibration->threshold(0, 0.8);
    for (std::size_t i = 0; i < absolute->test.sizes.size(); ++i) {
        EXPECT_NEAR(absolute->test.sizes[i], absolute->test.sizes[0], 1e-9 * absolute->test.sizes[0]);
        EXPECT_NEAR(normalised->test.sizes[i], 2 * limit * normalised->test.spreads[i],
                    1e-9 * normalised->test.sizes[i]);
    }
}

TEST(ConformalView, CoverageRisesWithTheLevelAndOodRowsOfAToyHaveTheirCurve)
{
    const auto chart = drawn("conformal", with_score(conformal_cubic(), ConformalScore::absolute));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 3u);   // test rows, the farthest of them, OOD rows
    for (const auto& line : lines)
        EXPECT_TRUE(std::is_sorted(line.y.begin(), line.y.end())) << line.name;
    EXPECT_LT(lines[2].y[15], lines[0].y[15]);   // a cubic is not followed outside the data
    EXPECT_THAT(lines[2].name, HasSubstr("OOD"));
}

TEST(ConformalView, EachClassHasItsThresholdAndTooFewRowsGiveAllClasses)
{
    auto run               = with_score(conformal_moons(), ConformalScore::thr, ConformalBy::class_);
    const auto calibration = conformal_calibration(run, {}, {});
    ASSERT_EQ(calibration->scores.size(), 2u);
    EXPECT_EQ(calibration->scores[0].size() + calibration->scores[1].size(), calibration->n);

    Study study            = run.experiment->study;
    study.prediction.level = 0.999;
    run.experiment         = with_study(*run.experiment, study);
    const auto chart       = drawn("conformal", run);
    EXPECT_EQ(conformal_cell(*chart.table, 0, 6), 2);   // every set has both classes
    EXPECT_THAT(chart.caption, HasSubstr("too few for 99.9 %"));
}

TEST(ConformalView, GroupsOfAColumnHaveTheirThresholds)
{
    Study study                       = conformal_study(ToyKind::cubic);
    study.prediction.conformal.score  = ConformalScore::absolute;
    study.prediction.conformal_by     = ConformalBy::column;
    study.prediction.conformal_column = "no such column";
    const auto trained                = conformal_cubic();
    RunSnapshot run                   = trained;
    run.experiment                    = with_study(*trained.experiment, study);
    EXPECT_THAT(refusal_of("conformal", run), HasSubstr("expected the name of an input column"));

    study.prediction.conformal_column = trained.experiment->data->training.feature_names[0];
    run.experiment                    = with_study(*trained.experiment, study);
    const auto calibration            = conformal_calibration(run, {}, {});
    EXPECT_EQ(calibration->scores.size(), calibration->group_of_values.size());
    EXPECT_FALSE(calibration->too_small().empty());   // each x is a group of its own
    EXPECT_FALSE(calibration->group_of(std::vector<float>{1e6f}));
}

TEST(ConformalView, SetIsShownInTheVerdictOnTheMapAndInTheBand)
{
    const auto run = with_score(conformal_moons(), ConformalScore::aps);
    const auto row = drawn("test_rows", run).table->rows.at(0);
    const auto set = std::get<std::string>(row[test_row::probable + 1]);
    EXPECT_EQ(verdict_cell(drawn("verdict", run), verdict_row::conformal), set);
    EXPECT_THAT(verdict_cell(drawn("verdict", run), verdict_row::headline), HasSubstr("conformal set " + set));
    EXPECT_EQ(verdict_cell(drawn("verdict", conformal_moons()), verdict_row::conformal), "");

    auto options         = coarse();
    options.map.quantity = MapQuantity::set_size;
    const auto map       = map_of(drawn("decision_map", run, options).panels[0]);
    EXPECT_THAT(map.categories, testing::ElementsAre("no class", "one class", "two classes"));
    for (const float size : map.z)
        EXPECT_TRUE(size == 1 || size == 2) << size;
    EXPECT_THAT(refusal_of("decision_map", conformal_moons(), options), HasSubstr("No conformal score is set"));

    const auto band  = drawn("regression_band", with_score(conformal_cubic(), ConformalScore::absolute));
    const auto plain = drawn("regression_band", conformal_cubic());
    EXPECT_EQ(series_of<Line>(band.panels[0]).size(), series_of<Line>(plain.panels[0]).size() + 2);
    EXPECT_THAT(band.caption, HasSubstr("conformal intervals by absolute residuals at 80 %"));
    const auto slice = drawn("slice", with_score(conformal_cubic(), ConformalScore::absolute));
    EXPECT_THAT(slice.caption, HasSubstr("conformal intervals by absolute residuals at 80 %"));
    const auto lines = series_of<Line>(slice.panels[0]);
    const auto limit = conformal_calibration(with_score(conformal_cubic(), ConformalScore::absolute), {}, {})
                           ->threshold(0, 0.8);
    const auto& lower = lines.at(lines.size() - 2);
    for (std::size_t i = 0; i < lower.y.size(); ++i)
        EXPECT_NEAR(lines.back().y[i] - lower.y[i], 2 * limit, 1e-6 * limit);
}

TEST(ConformalView, RandomisedSetsAreTheSameInEveryView)
{
    Study study                           = with_score(conformal_moons(), ConformalScore::aps).experiment->study;
    study.prediction.conformal.randomised = true;
    RunSnapshot run                       = conformal_moons();
    run.experiment                        = with_study(*run.experiment, study);
    const auto table                      = drawn("test_rows", run).table.value();
    for (std::size_t i = 0; i < 5; ++i) {
        ViewOptions options;
        options.input.row = i;
        EXPECT_EQ(verdict_cell(drawn("verdict", run, options), verdict_row::conformal),
                  std::get<std::string>(table.rows[i][test_row::probable + 1]));
    }
}

TEST(ConformalView, ComparesRunsAndNamesOneThatDoesNotFit)
{
    const auto compare = [](std::vector<RunSnapshot> runs) { return view("conformal").compare(runs, {}, {}).value(); };
    const auto chart   = compare(
          {with_score(conformal_moons(), ConformalScore::thr), with_score(conformal_moons(), ConformalScore::aps)});
    EXPECT_EQ(series_of<Line>(chart.panels.at(0)).size(), 2u);
    ASSERT_EQ(chart.table->rows.size(), 2u);
    EXPECT_EQ(std::get<std::string>(chart.table->rows[1][1]), "APS");
    EXPECT_THAT(compare({with_score(conformal_moons(), ConformalScore::thr), moons()}).message,
                HasSubstr("cannot be compared. No conformal score is set"));
}

TEST(ConformalSettings, AreRefusedWithoutCalibrationRowsAndForOtherTargets)
{
    const auto refusal = [](const Study& study) -> std::string {
        try {
            check(study);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    Study study = conformal_study(ToyKind::two_moons, 0);
    EXPECT_EQ(refusal(study), "");
    study.prediction.conformal.score = ConformalScore::aps;
    EXPECT_THAT(refusal(study), HasSubstr("expected split.calibration_fraction above 0"));
    study.split.calibration_fraction = 0.2;
    EXPECT_EQ(refusal(study), "");
    study.prediction.conformal.score = ConformalScore::cqr;
    EXPECT_THAT(refusal(study), HasSubstr("which needs a numeric target; expected thr, aps or raps"));
    study.data.toy.kind           = ToyKind::cubic;
    study.prediction.conformal_by = ConformalBy::class_;
    EXPECT_THAT(refusal(study), HasSubstr("the target is numeric"));
    study.prediction.conformal_by = ConformalBy::column;
    EXPECT_THAT(refusal(study), HasSubstr("expected the name of an input column"));
}

TEST(ConformalSettings, AreWrittenOnlyIfTheyAreUsed)
{
    Study study = conformal_study(ToyKind::two_moons, 0.2);
    EXPECT_THAT(to_text(study), testing::Not(HasSubstr("conformal")));
    set_field(study, "prediction.conformal=raps");
    set_field(study, "prediction.raps_penalty=0.5");
    set_field(study, "prediction.conformal_by=class");
    EXPECT_EQ(study_from_text(to_text(study), "study"), study);
    EXPECT_EQ(study.prediction.conformal.penalty, 0.5);
}
