// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice.h"

#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "unit/views/linear_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// Three functions whose slopes differ, in standardised units.
const RunSnapshot& three_functions()
{
    static const auto run = linear_run({{0.8F, -0.3F, 0.1F, -0.1F, 0},
                                        {1, -0.3F, 0.1F, -0.1F, 0.2F},   //
                                        {0.9F, -0.6F, 0.4F, -0.1F, 0.1F}});
    return run;
}

/// The small table with a from 1 to 1,600, equally spaced in ln a.
Dataset skewed_table()
{
    auto table = small_table();
    for (std::size_t i = 0; i < table.n_rows; ++i)
        table.inputs[4 * i] = std::exp(static_cast<double>(i) / 8);
    return table;
}

ViewOptions slice_of(const std::string& first, SliceHold hold = SliceHold::row)
{
    ViewOptions options;
    options.slice.first = first;
    options.slice.hold  = hold;
    options.map.cells   = 5;
    return options;
}

const Line& line_named(const Panel& panel, std::string_view name)
{
    for (const auto& series : panel.series)
        if (const auto* line = std::get_if<Line>(&series); line && line->name == name)
            return *line;
    throw Error("no line " + std::string(name));
}

/// f of one draw in the units of the target.
double value_of(const RunSnapshot& run, const std::vector<double>& weights, std::span<const double> row)
{
    const auto& data = *run.experiment->data;
    const auto z     = data.inputs.standardised(row);
    double f         = weights.back();
    for (std::size_t j = 0; j < z.size(); ++j)
        f += weights[j] * z[j];
    return data.target_mean + data.target_sd * f;
}

/// The noise's sd in the units of the target.
double noise_of(const RunSnapshot& run)
{
    const auto& data = *run.experiment->data;
    const PosteriorPredictive predictive(run.experiment->model, run.snapshot->posterior, 1, 1);
    return data.target_sd * predictive.sample_outputs(std::span(data.test_inputs).first(4), 1).at(0, 0, 1);
}

}   // namespace

TEST(Slice, OfALinearFunctionIsLinearThroughItsValueAtTheSelectedRow)
{
    const auto run    = linear_run({{0.8F, -0.3F, 0.1F, -0.1F, 0.2F}});
    const auto chart  = drawn("slice", run, slice_of("a"));
    const auto& panel = chart.panels.at(0);
    const auto& f     = line_named(panel, "Median of f");
    const auto& data  = *run.experiment->data;
    ASSERT_EQ(f.x.size(), 101U);
    std::vector<double> row(data.test.row(0).begin(), data.test.row(0).end());
    for (std::size_t i = 0; i < f.x.size(); ++i) {
        row[0] = f.x[i];
        EXPECT_NEAR(f.y[i], value_of(run, {0.8, -0.3, 0.1, -0.1, 0.2}, row), 1e-4 * data.target_sd);
    }
    EXPECT_EQ(panel.x.label, "a");
    EXPECT_EQ(panel.y.label, "y");
    EXPECT_THAT(chart.caption, HasSubstr("against a with the other inputs at test row 0."));
    EXPECT_THAT(chart.caption, HasSubstr("90 % credible interval"));
    const auto observed = series_of<Points>(panel).back();
    EXPECT_THAT(observed.x, testing::ElementsAre(data.test.row(0)[0]));
    EXPECT_THAT(observed.y, testing::ElementsAre(data.test.targets[0]));
}

TEST(Slice, UncertaintiesHaveTheirClosedForm)
{
    const auto& run  = three_functions();
    const auto& data = *run.experiment->data;
    auto options     = slice_of("a");
    const auto draw  = [&](SliceQuantity quantity) {
        options.slice.quantity = quantity;
        return series_of<Line>(drawn("slice", run, options).panels.at(0)).at(0);
    };
    const auto total = draw(SliceQuantity::total), epistemic = draw(SliceQuantity::epistemic),
               aleatoric = draw(SliceQuantity::aleatoric);
    std::vector<double> row(data.test.row(0).begin(), data.test.row(0).end());
    for (std::size_t i = 0; i < total.x.size(); i += 10) {
        row[0]            = total.x[i];
        const double f[3] = {value_of(run, {0.8, -0.3, 0.1, -0.1, 0}, row),
                             value_of(run, {1, -0.3, 0.1, -0.1, 0.2}, row),
                             value_of(run, {0.9, -0.6, 0.4, -0.1, 0.1}, row)};
        const double mean = (f[0] + f[1] + f[2]) / 3;
        double variance   = 0;
        for (const double each : f)
            variance += (each - mean) * (each - mean) / 3;
        const double noise = noise_of(run);
        EXPECT_NEAR(epistemic.y[i], std::sqrt(variance), 1e-4 * data.target_sd);
        EXPECT_NEAR(aleatoric.y[i], noise, 1e-4 * data.target_sd);
        EXPECT_NEAR(total.y[i], std::sqrt(variance + noise * noise), 1e-4 * data.target_sd);
    }
}

TEST(Slice, ThePartialDependenceOfAnAdditiveFunctionIsItsComponent)
{
    const auto run           = linear_run({{0.8F, -0.3F, 0.1F, -0.1F, 0.2F}});
    const auto& data         = *run.experiment->data;   // 48 training rows: all of them are averaged
    auto options             = slice_of("b", SliceHold::average);
    options.slice.individual = true;
    const auto panel         = drawn("slice", run, options).panels.at(0);
    const auto& f            = line_named(panel, "Median of f");
    for (std::size_t i = 0; i < f.x.size(); ++i) {   // the other standardised inputs have mean 0
        const double z = (f.x[i] - data.inputs.mean[1]) / data.inputs.sd[1];
        EXPECT_NEAR(f.y[i], data.target_mean + data.target_sd * (0.2 - 0.3 * z), 1e-4 * data.target_sd);
    }
    const auto lines = series_of<Line>(panel);
    EXPECT_EQ(std::ranges::count_if(lines, [](const Line& line) { return line.tone.kind == Tone::Kind::muted; }), 48);
    for (const auto& line : lines)   // curves of single rows have the same slope
        EXPECT_NEAR(line.y.back() - line.y.front(), f.y.back() - f.y.front(), 1e-3 * data.target_sd);
    EXPECT_TRUE(std::ranges::none_of(lines, [](const Line& line) { return line.style == LineStyle::dashed; }))
        << "an average has no new observations";
}

TEST(Slice, ACategoryIsOneInputWithABoxForEachValue)
{
    const auto& run  = three_functions();
    const auto panel = drawn("slice", run, slice_of("c")).panels.at(0);
    const auto boxes = series_of<Boxes>(panel).at(0).boxes;
    const auto& data = *run.experiment->data;
    EXPECT_EQ(panel.x.categories, (std::vector<std::string>{"red", "blue"}));
    ASSERT_EQ(boxes.size(), 2U);
    std::vector<double> row(data.test.row(0).begin(), data.test.row(0).end());
    row[2] = 0;
    row[3] = 1;
    std::vector<double> f{value_of(run, {0.8, -0.3, 0.1, -0.1, 0}, row), value_of(run, {1, -0.3, 0.1, -0.1, 0.2}, row),
                          value_of(run, {0.9, -0.6, 0.4, -0.1, 0.1}, row)};
    std::ranges::sort(f);
    EXPECT_NEAR(boxes[1].median, f[1], 1e-4 * data.target_sd);
    EXPECT_LT(boxes[1].lower_whisker, boxes[1].lower_quartile);
}

TEST(Slice, OverTwoInputsIsAMapOfTheChosenQuantity)
{
    const auto& run       = three_functions();
    auto options          = slice_of("a");
    options.slice.second  = "c";
    const auto prediction = drawn("slice", run, options).panels.at(0);
    EXPECT_EQ(map_of(prediction).nx, 5);
    EXPECT_EQ(map_of(prediction).ny, 2);
    EXPECT_EQ(prediction.y.categories.size(), 2U);
    options.slice.quantity = SliceQuantity::epistemic;
    const auto epistemic   = drawn("slice", run, options).panels.at(0);
    EXPECT_EQ(epistemic.title, "Epistemic standard deviation of y");
    EXPECT_TRUE(std::ranges::all_of(map_of(epistemic).z, [](float z) { return z >= 0; }));
    options.slice.second   = "a";
    options.slice.quantity = SliceQuantity::prediction;
    EXPECT_TRUE(series_of<HeatMap>(drawn("slice", run, options).panels.at(0)).empty()) << "the same input twice";
}

TEST(Slice, PointsAreTrainingRowsAndPaleFarFromTheSlice)
{
    const auto& data  = *three_functions().experiment->data;
    const auto groups = input_groups(data.training);
    const std::vector<double> at(data.training.row(5).begin(), data.training.row(5).end());
    const auto split = points_near_slice(data.training, {groups[1], groups[2]}, &at);
    EXPECT_THAT(split.near, testing::Contains(5U));
    EXPECT_EQ(split.near.size() + split.middle.size() + split.far.size(), data.training.n_rows);
    const InputDistance distance(data.training, {groups[1], groups[2]});
    for (const auto i : split.middle)
        EXPECT_THAT(distance(data.training.row(i), at), testing::AllOf(testing::Gt(0.5), testing::Le(1)));
    EXPECT_EQ(points_near_slice(data.training, {}, &at).near.size(), data.training.n_rows);
    std::size_t drawn_rows = 0;
    for (const auto& points : series_of<Points>(drawn("slice", three_functions(), slice_of("a")).panels.at(0)))
        for (std::size_t i = 0; i < points.data_rows.size(); ++i, ++drawn_rows)
            EXPECT_EQ(points.x[i], data.training.row(points.data_rows[i].row)[0]);
    EXPECT_EQ(drawn_rows, data.training.n_rows);
}

TEST(Slice, OfAProbabilityIsItsMeanAndIntervalOverSamples)
{
    auto options            = slice_of("x1", SliceHold::median);
    options.map.class_index = 0;
    const auto zero         = line_named(drawn("slice", moons(), options).panels.at(0), "Mean probability");
    options.map.class_index = 1;
    const auto panel        = drawn("slice", moons(), options).panels.at(0);
    const auto& one         = line_named(panel, "Mean probability");
    const auto band         = series_of<Band>(panel).at(0);
    for (std::size_t i = 0; i < one.y.size(); ++i) {
        EXPECT_NEAR(zero.y[i] + one.y[i], 1, 1e-6);
        EXPECT_LE(band.lower[i], one.y[i]);
        EXPECT_GE(band.upper[i], one.y[i]);
    }
    options.map.class_index = 2;
    EXPECT_EQ(refusal_of("slice", moons(), options), "Slice: class 2, expected 0 to 1.");
}

TEST(Slice, TheAxisOfASkewedInputIsLogarithmicUnlessChosenOtherwise)
{
    const auto run        = linear_run({{0.8F, -0.3F, 0.1F, -0.1F, 0.2F}}, skewed_table());
    const auto& data      = *run.experiment->data;
    const auto groups     = input_groups(data.training);
    const auto as_numbers = [&](std::size_t i) {
        const auto log = log_axis_for(data.training, groups[i]);
        return std::pair(log.possible, log.proposed);
    };
    EXPECT_EQ(as_numbers(0), std::pair(true, true));
    EXPECT_EQ(as_numbers(1), std::pair(true, false)) << "100 to 159";
    EXPECT_EQ(as_numbers(2), std::pair(false, false)) << "a category";
    EXPECT_FALSE(log_axis_for(small_table(), groups[0]).possible) << "some values are 0";

    const auto chart  = drawn("slice", run, slice_of("a"));
    const auto& panel = chart.panels.at(0);
    EXPECT_TRUE(panel.x.logarithmic);
    EXPECT_GT(panel.x.range->first, 0);
    EXPECT_THAT(chart.caption, HasSubstr("The axis of a is logarithmic."));
    const auto& f = line_named(panel, "Median of f");
    std::vector<double> row(data.test.row(0).begin(), data.test.row(0).end());
    for (std::size_t i = 0; i < f.x.size(); ++i) {
        row[0] = f.x[i];
        EXPECT_NEAR(f.y[i], value_of(run, {0.8, -0.3, 0.1, -0.1, 0.2}, row), 1e-4 * data.target_sd);
        EXPECT_NEAR(f.x[i], f.x.front() * std::pow(f.x[1] / f.x[0], static_cast<double>(i)), 1e-9 * f.x[i]);
    }
    auto options        = slice_of("a");
    options.slice.scale = SliceScale::linear;
    const auto linear   = drawn("slice", run, options);
    EXPECT_FALSE(linear.panels.at(0).x.logarithmic);
    EXPECT_THAT(linear.caption, testing::Not(HasSubstr("logarithmic")));
    options.slice.first = "b";
    options.slice.scale = SliceScale::logarithmic;
    EXPECT_TRUE(drawn("slice", run, options).panels.at(0).x.logarithmic) << "on request";
    EXPECT_EQ(slice_scale_named("linear"), SliceScale::linear);
    EXPECT_THROW(slice_scale_named("log"), Error);
}

TEST(Slice, AMapOnALogarithmicAxisHasCellsOfEqualFactors)
{
    const auto run       = linear_run({{0.8F, -0.3F, 0.1F, -0.1F, 0.2F}}, skewed_table());
    auto options         = slice_of("a");
    options.slice.second = "b";
    const auto panel     = drawn("slice", run, options).panels.at(0);
    const auto& map      = map_of(panel);
    EXPECT_TRUE(map.x_logarithmic);
    EXPECT_FALSE(map.y_logarithmic);
    EXPECT_TRUE(panel.x.logarithmic);
    const auto& data = *run.experiment->data;
    std::vector<double> row(data.test.row(0).begin(), data.test.row(0).end());
    for (int y = 0; y < map.ny; ++y)
        for (int x = 0; x < map.nx; ++x) {
            row[0] = map.x_at(x);
            row[1] = map.y_at(y);
            EXPECT_NEAR(map.z[static_cast<std::size_t>(y * map.nx + x)],
                        value_of(run, {0.8, -0.3, 0.1, -0.1, 0.2}, row), 1e-3 * data.target_sd);
        }
    EXPECT_NEAR(panel.x.range->first * panel.x.range->second, map.x.first * map.x.second, 1e-6 * map.x.second);
}

TEST(Slice, TheLineOfTheSelectedInputIsLeftToTheWindowOnRequest)
{
    const auto rules = [](const Chart& chart) { return series_of<Rule>(chart.panels.at(0)).size(); };
    auto options     = slice_of("a");
    EXPECT_EQ(rules(drawn("slice", three_functions(), options)), 1U);
    options.slice.marks_input = false;
    EXPECT_EQ(rules(drawn("slice", three_functions(), options)), 0U);
}

TEST(Slice, AnUnknownInputIsRefusedWithTheNamesOfTheOthers)
{
    EXPECT_EQ(refusal_of("slice", three_functions(), slice_of("d")),
              "There is no input \"d\", expected one of a, b, c.");
}

TEST(Slice, AMapKeepsNoSamplesOfItsManyPoints)
{
    const auto& run        = three_functions();
    const auto& experiment = *run.experiment;
    const auto inputs      = input_groups(experiment.data->training);
    SliceGrid grid{.x = {.input = inputs.at(0), .at = {0, 1, 2}}};
    const auto row        = experiment.data->test.row(0);
    const HeldInputs held = {.n = 1, .rows = {row.begin(), row.end()}};
    const PosteriorPredictive predictive(experiment.model, run.snapshot->posterior, 3, 1);
    const auto curve = slice_values(experiment, predictive, grid, held, 0, {});
    EXPECT_EQ(curve->samples.f.size(), 9u);
    grid.y         = SliceAxis{.input = inputs.at(1), .at = {0, 1}};
    const auto map = slice_values(experiment, predictive, grid, held, 0, {});
    EXPECT_EQ(map->mean.size(), 6u);
    EXPECT_TRUE(map->samples.f.empty());
}

TEST(Slice, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(view("slice").make(three_functions(), slice_of(""), source.get_token()));
}
