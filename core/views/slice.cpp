// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice.h"

#include "charts/decision_map.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "runs/probe_places.h"
#include "views/conformal_sets.h"
#include "views/image_rows.h"
#include "views/influence.h"
#include "views/intervals.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t places_held = 101, places_averaged = 51;          ///< along one number
constexpr int most_cells_averaged   = 25;                               ///< along each side of a map
constexpr std::size_t most_averaged = 200, most_averaged_of_map = 50;   ///< training rows
constexpr std::size_t most_single_rows = 50;                            ///< curves of single rows
constexpr double slice_margin          = 0.05;                          ///< beyond the training values, of their range

std::optional<std::string> why_no_slice(const Experiment& experiment)
{
    if (has_images(experiment))
        return "A slice needs a table. For images see the view Perturbation.";
    if (experiment.data->training.n_rows == 0)
        return "A slice needs training rows.";
    return {};
}

/// The input of the drawing functions.
struct SliceCase {
    const Experiment& experiment;
    SliceChoice choice;
    int class_index = 1;
    double level    = 0.95;
    SliceGrid grid;
    HeldInputs held;
    SliceValues values;

    bool classes() const { return experiment.task() == Task::classification; }
    bool averaged() const { return choice.hold == SliceHold::average; }
    const Dataset& training() const { return experiment.data->training; }
    std::string class_title() const { return training().class_names[static_cast<std::size_t>(class_index)]; }
    std::string unit() const
    {
        return classes() && choice.quantity != SliceQuantity::prediction ? std::string("nats") : std::string();
    }
    /// "Probability of 1", "strength", "Epistemic standard deviation of strength"
    std::string quantity_title() const
    {
        const bool prediction = choice.quantity == SliceQuantity::prediction;
        if (classes())
            return prediction ? "Probability of " + class_title() : title_of(choice.quantity, Task::classification);
        return prediction ? training().target_name
                          : title_of(choice.quantity, Task::regression) + " of " + training().target_name;
    }
};

const InputGroup& input_named(const std::vector<InputGroup>& inputs, const std::string& name)
{
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const InputGroup& input) { return input.name == name; });
    if (found != inputs.end())
        return *found;
    throw Error("There is no input \"" + name + "\", expected one of " + joined(inputs, &InputGroup::name) + ".");
}

/// @param cells   centres of cells for a map; otherwise both ends are included
/// @param also    a value that must be in the range
SliceAxis slice_axis(const Dataset& training, const InputGroup& input, std::size_t n, bool cells,
                     std::optional<double> also, SliceScale scale)
{
    const auto log = scale == SliceScale::linear ? LogAxis() : log_axis_for(training, input);
    SliceAxis axis{.input       = input,
                   .at          = {},
                   .logarithmic = (scale == SliceScale::logarithmic ? log.possible : log.proposed)
                                  && also.value_or(1) > 0};
    if (input.is_category()) {
        axis.at.resize(input.categories.size());
        std::iota(axis.at.begin(), axis.at.end(), 0.0);
        return axis;
    }
    std::vector<double> values;
    values.reserve(training.n_rows + 1);
    for (std::size_t i = 0; i < training.n_rows; ++i)
        values.push_back(training.row(i)[input.first]);
    if (also)
        values.push_back(*also);
    axis.logarithmic = axis.logarithmic && *std::min_element(values.begin(), values.end()) > 0;
    if (axis.logarithmic)
        for (double& value : values)
            value = std::log(value);
    auto range = widened_range(values, slice_margin);
    if (cells)
        range = MapGrid::over(range, range, static_cast<int>(n)).x;
    axis.at = n > 1 ? places_along_x(range, n) : std::vector<double>{range.first};
    if (axis.logarithmic)
        for (double& value : axis.at)
            value = std::exp(value);
    return axis;
}

HeldInputs held_inputs(const RunSnapshot& run, const ViewOptions& options, const std::vector<InputGroup>& inputs,
                       bool map)
{
    const auto& training = run.experiment->data->training;
    HeldInputs held{.n = 1};
    switch (options.slice.hold) {
    case SliceHold::row: {
        const auto chosen = chosen_input(run, options.input);
        held.rows         = options.input.values;
        if (held.rows.empty()) {
            const auto row = scored_set(*run.experiment).data->row(options.input.row);
            held.rows.assign(row.begin(), row.end());
        }
        const bool by_numbers = !options.input.values.empty() && options.input.name.empty() && inputs.size() > 3;
        held.words            = "with the other inputs at " + (by_numbers ? "the selected input" : chosen.name);
        held.target           = chosen.target;
        break;
    }
    case SliceHold::median:
        held.rows  = typical_row(training, inputs);
        held.words = "with the other inputs at the medians (categories: the most frequent) of the training rows";
        break;
    case SliceHold::average: {
        const auto rows = evenly_spaced(training.n_rows, map ? most_averaged_of_map : most_averaged);
        held.n          = rows.size();
        for (const std::size_t i : rows)
            held.rows.insert(held.rows.end(), training.row(i).begin(), training.row(i).end());
        held.words = "averaged over the other inputs of " + std::to_string(held.n) + " training rows";
        break;
    }
    }
    return held;
}

/// The axis of a panel for one input: between the ends of its values, or its categories.
Axis axis_of_input(const SliceAxis& axis, bool cells)
{
    Axis out{.label       = axis.input.name + (axis.input.date ? " [days since 1970-01-01]" : ""),
             .logarithmic = axis.logarithmic,
             .categories  = axis.input.categories};
    const Range ends{axis.at.front(), axis.at.back()};
    const int n = static_cast<int>(axis.at.size());
    out.range   = cells || axis.input.is_category() ? cell_edges(ends, n, axis.logarithmic) : ends;
    return out;
}

/// Coordinate of a row; points of one category are spread over seven columns, the same at every call.
double coordinate_on(const SliceAxis& axis, std::span<const double> row, std::size_t i)
{
    constexpr int columns = 7;
    const double value    = axis.input.value_of(row);
    return axis.input.is_category() ? value + 0.08 * (static_cast<int>(i % columns) - columns / 2) : value;
}

/// Adds training rows: full near the slice, pale far from it.
void add_near_points(Panel& panel, const SliceCase& slice, const std::vector<InputGroup>& inputs)
{
    const auto& training = slice.training();
    std::vector<InputGroup> others;
    for (const auto& input : inputs)
        if (input != slice.grid.x.input && (!slice.grid.y || input != slice.grid.y->input))
            others.push_back(input);
    const auto near     = points_near_slice(training, others, slice.averaged() ? nullptr : &slice.held.rows);
    const auto part     = slice.experiment.data->test.n_rows > 0 ? DataRow::Part::training : DataRow::Part::scored;
    const std::size_t K = slice.classes() ? training.n_classes() : 1;
    const std::array<std::pair<const std::vector<std::size_t>*, double>, 3> parts{
        {{&near.far, 0.12}, {&near.middle, 0.45}, {&near.near, 1}}};
    for (const auto& [rows, opacity] : parts)
        for (std::size_t k = 0; k < K; ++k) {
            Points points{.tone    = slice.classes() ? category(static_cast<int>(k)) : Tone{Tone::Kind::data},
                          .marker  = slice.classes() ? Marker::by_category : Marker::circle,
                          .size    = 4,
                          .opacity = opacity};
            for (const std::size_t i : *rows) {
                if (slice.classes() && training.labels[i] != static_cast<int>(k))
                    continue;
                points.data_rows.push_back({part, static_cast<std::uint32_t>(i)});
                points.x.push_back(coordinate_on(slice.grid.x, training.row(i), i));
                if (slice.grid.y)
                    points.y.push_back(coordinate_on(*slice.grid.y, training.row(i), i / 7));
                else if (slice.classes())
                    points.y.push_back(training.labels[i] == slice.class_index ? 1 : 0);
                else
                    points.y.push_back(training.targets[i]);
            }
            if (opacity == 1)
                points.name = slice.classes() ? training.class_names[k] + ", training" : "Training rows near the slice";
            if (!points.x.empty())
                panel.series.push_back(std::move(points));
        }
}

/// Marks the selected input, and its target if it is known.
void mark_selected(Panel& panel, const SliceCase& slice)
{
    if (slice.choice.hold != SliceHold::row)
        return;
    const bool marks = slice.choice.marks_input;
    const double x   = slice.grid.x.input.value_of(slice.held.rows);
    const Tone accent{Tone::Kind::accent};
    Points mark{.name = "Selected input", .x = {x}, .tone = accent, .marker = Marker::diamond, .size = 9};
    if (slice.grid.y) {
        if (!marks)
            return;
        mark.y = {slice.grid.y->input.value_of(slice.held.rows)};
    } else {
        if (marks)
            panel.series.push_back(
                Rule{.direction = Rule::Direction::vertical, .at = x, .label = "selected input", .tone = accent});
        if (!slice.held.target || slice.choice.quantity != SliceQuantity::prediction)
            return;
        mark.name = "Observed target of the selected row";
        mark.y    = {*slice.held.target};
    }
    panel.series.push_back(std::move(mark));
}

/// Returns heights that stay the same while the other inputs change, see height_of.
std::optional<Range> height_of_data(RegressionBand band, const Dataset& training)
{
    band.data_y = training.targets;
    return height_of(band);
}

/// Median, quartiles and intervals of f against a number, or its boxes by category.
Panel panel_of_numbers(const SliceCase& slice)
{
    const auto& axis        = slice.grid.x;
    auto band               = regression_band(axis.at, slice.values.samples, slice.level, 0);
    const std::string level = percent_text(slice.level);
    if (slice.averaged())   // an average has no observations
        band.predictive_lower = band.predictive_upper = {};
    band.x_name       = axis.input.name;
    band.y_name       = slice.training().target_name;
    const auto height = height_of_data(band, slice.training());
    if (!axis.input.is_category()) {
        auto panel    = std::move(to_chart(band).panels.front());
        panel.x       = axis_of_input(axis, false);
        panel.y.range = height;
        return panel;
    }
    IntervalBars observations{.name = level + " predictive interval, noise included"};
    Boxes boxes{.name = "f: median, quartiles, " + level + " interval", .width = 0.4};
    for (std::size_t i = 0; i < axis.at.size(); ++i) {
        if (!slice.averaged())
            observations.bars.push_back({.position = axis.at[i],
                                         .lower    = band.predictive_lower[i],
                                         .centre   = band.median[i],
                                         .upper    = band.predictive_upper[i],
                                         .tone     = {Tone::Kind::muted}});
        boxes.boxes.push_back({.position       = axis.at[i],
                               .lower_whisker  = band.lower[i],
                               .lower_quartile = band.lower_quartile[i],
                               .median         = band.median[i],
                               .upper_quartile = band.upper_quartile[i],
                               .upper_whisker  = band.upper[i],
                               .tone           = {Tone::Kind::posterior}});
    }
    Panel panel{.x = axis_of_input(axis, false), .y = {.label = band.y_name, .range = height}};
    if (!observations.bars.empty())
        panel.series.push_back(std::move(observations));
    panel.series.push_back(std::move(boxes));
    return panel;
}

/// Mean and interval of the probability of one class.
Panel panel_of_probability(const SliceCase& slice)
{
    const auto& axis = slice.grid.x;
    const auto& mean = slice.values.mean;
    const std::array tails{(1 - slice.level) / 2, (1 + slice.level) / 2};
    const auto ends            = function_quantiles(slice.values.samples, tails);
    const Tone tone            = category(slice.class_index);
    const std::string interval = percent_text(slice.level) + " credible interval";
    Panel panel{.x = axis_of_input(axis, false), .y = {.label = slice.quantity_title(), .range = Range{-0.03, 1.03}}};
    if (!axis.input.is_category()) {
        panel.series.push_back(
            Band{.name = interval, .x = axis.at, .lower = ends[0], .upper = ends[1], .tone = tone, .opacity = 0.25});
        panel.series.push_back(Line{.name = "Mean probability", .x = axis.at, .y = mean, .tone = tone, .width = 2});
        return panel;
    }
    IntervalBars bars{.name = interval + " and mean"};
    for (std::size_t i = 0; i < axis.at.size(); ++i)
        bars.bars.push_back(
            {.position = axis.at[i], .lower = ends[0][i], .centre = mean[i], .upper = ends[1][i], .tone = tone});
    panel.series.push_back(std::move(bars));
    return panel;
}

/// One number against one input: an entropy or a standard deviation.
Panel panel_of_uncertainty(const SliceCase& slice)
{
    const auto& axis   = slice.grid.x;
    const auto& values = slice.values.of(slice.choice.quantity);
    const double top   = *std::max_element(values.begin(), values.end());
    const Tone tone{Tone::Kind::posterior};
    Panel panel{
        .x = axis_of_input(axis, false),
        .y = {.label = slice.quantity_title(), .unit = slice.unit(), .range = Range{0, top > 0 ? 1.1 * top : 1}}};
    if (axis.input.is_category())
        panel.series.push_back(Points{.name = title_of(slice.choice.quantity, slice.experiment.task()),
                                      .x    = axis.at,
                                      .y    = values,
                                      .tone = tone,
                                      .size = 8});
    else
        panel.series.push_back(Line{.name  = title_of(slice.choice.quantity, slice.experiment.task()),
                                    .x     = axis.at,
                                    .y     = values,
                                    .tone  = tone,
                                    .width = 2});
    return panel;
}

Range colours_of(const SliceCase& slice, const std::vector<double>& values)
{
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const bool prediction  = slice.choice.quantity == SliceQuantity::prediction;
    if (slice.classes() && slice.choice.quantity != SliceQuantity::epistemic)
        return prediction ? Range{0, 1} : Range{0, std::log(static_cast<double>(slice.training().n_classes()))};
    if (prediction)
        return *low < *high ? Range{*low, *high} : Range{*low - 0.5, *low + 0.5};
    // So that rounding noise does not fill the axis
    return {0, *high > 0 ? std::max(*high, slice.classes() ? 1e-3 : 0) : 1};
}

Panel panel_of_map(const SliceCase& slice)
{
    const auto &x = slice.grid.x, &y = *slice.grid.y;
    const auto& values = slice.values.of(slice.choice.quantity);
    HeatMap heat{.name    = slice.quantity_title(),
                 .unit    = slice.unit(),
                 .nx      = static_cast<int>(x.at.size()),
                 .ny      = static_cast<int>(y.at.size()),
                 .x       = {x.at.front(), x.at.back()},
                 .y       = {y.at.front(), y.at.back()},
                 .z       = {values.begin(), values.end()},
                 .z_range = colours_of(slice, values)};
    if (slice.classes() && slice.choice.quantity == SliceQuantity::prediction) {
        heat.map      = ColourMap::diverging;
        heat.contours = {0.5};
    }
    heat.discrete      = x.input.is_category() || y.input.is_category();
    heat.x_logarithmic = x.logarithmic;
    heat.y_logarithmic = y.logarithmic;
    return {.title = heat.name, .x = axis_of_input(x, true), .y = axis_of_input(y, true), .series = {std::move(heat)}};
}

void add_single_rows(Panel& panel, const SliceCase& slice)
{
    std::vector<Series> lines;
    for (const std::size_t r : evenly_spaced(slice.held.n, most_single_rows))
        lines.emplace_back(Line{.name    = r == 0 ? "Mean for single rows" : "",
                                .x       = slice.grid.x.at,
                                .y       = slice.values.individual[r],
                                .tone    = {Tone::Kind::muted},
                                .width   = 0.7,
                                .opacity = 0.6});
    panel.series.insert(panel.series.begin(), lines.begin(), lines.end());
}

std::string caption_of(const SliceCase& slice)
{
    const std::string level = percent_text(slice.level);
    const bool prediction   = slice.choice.quantity == SliceQuantity::prediction;
    std::string out         = slice.quantity_title() + " against " + slice.grid.x.input.name;
    if (slice.grid.y)
        out += " and " + slice.grid.y->input.name;
    out += " " + slice.held.words + ".";
    const bool log_x = slice.grid.x.logarithmic, log_y = slice.grid.y && slice.grid.y->logarithmic;
    if (log_x && log_y)
        out += " Both axes are logarithmic.";
    else if (log_x || log_y)
        out += " The axis of " + (log_x ? slice.grid.x : *slice.grid.y).input.name + " is logarithmic.";
    if (!slice.grid.y && prediction && !slice.classes())
        out += " Median, quartiles and " + level + " credible interval of the function"
               + (slice.averaged() ? "." : ", and the predictive interval.");
    if (!slice.grid.y && prediction && slice.classes())
        out += " Mean and " + level + " credible interval over samples.";
    if (!slice.grid.y && !prediction)
        return out;
    return out
           + (slice.averaged() ? " Points: training rows."
                               : " Points: training rows, pale if their other inputs differ by more than half a "
                                 "standard deviation (root mean square).");
}

/// The inputs of a slice through a single row, standardised [n × n_features].
std::vector<float> inputs_of_slice(const SliceCase& slice)
{
    const std::size_t d = slice.training().n_features;
    std::vector<double> rows;
    for (std::size_t point = 0; point < slice.grid.n(); ++point) {
        rows.insert(rows.end(), slice.held.rows.begin(), slice.held.rows.begin() + static_cast<std::ptrdiff_t>(d));
        slice.grid.set(std::span(rows).last(d), point);
    }
    return standardised(slice.experiment, rows);
}

/// Returns the input with the largest influence, or the only one. Empty: stopped.
std::optional<std::string> default_input(const RunSnapshot& run, const ViewOptions& options,
                                         const std::vector<InputGroup>& inputs, const std::stop_token& stop)
{
    if (inputs.size() == 1)
        return inputs.front().name;
    const auto influence = influence_of(run, options, stop);
    return influence ? std::optional(inputs[influence->ranking().front()].name) : std::nullopt;
}

/// Fills in the first input of the choice, and the second only if it differs. Empty: stopped.
std::optional<SliceChoice> completed_choice(const RunSnapshot& run, const ViewOptions& options,
                                            const std::vector<InputGroup>& inputs, const std::stop_token& stop)
{
    SliceChoice choice = options.slice;
    if (choice.first.empty()) {
        const auto found = default_input(run, options, inputs, stop);
        if (!found)
            return {};
        choice.first = *found;
    }
    if (choice.second == choice.first)
        choice.second.clear();
    return choice;
}

std::optional<Chart> make_slice(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& training   = experiment.data->training;
    const auto inputs      = input_groups(training);
    const auto completed   = completed_choice(run, options, inputs, stop);
    if (!completed)
        return {};
    const SliceChoice& choice = *completed;
    const int K               = static_cast<int>(training.n_classes());
    if (experiment.task() == Task::classification && (options.map.class_index < 0 || options.map.class_index >= K))
        throw Error("Slice: class " + std::to_string(options.map.class_index) + ", expected 0 to "
                    + std::to_string(K - 1) + ".");
    const bool map  = !choice.second.empty();
    auto held       = held_inputs(run, options, inputs, map);
    const auto also = [&](const InputGroup& input) {
        return choice.hold == SliceHold::row ? std::optional(input.value_of(held.rows)) : std::nullopt;
    };
    const bool averaged = choice.hold == SliceHold::average;
    const auto n        = map ? static_cast<std::size_t>(averaged ? std::min(most_cells_averaged, options.map.cells)
                                                                  : options.map.cells)
                              : (averaged ? places_averaged : places_held);
    const auto& first   = input_named(inputs, choice.first);
    SliceGrid grid{.x = slice_axis(training, first, n, map, also(first), choice.scale)};
    if (map) {
        const auto& second = input_named(inputs, choice.second);
        grid.y             = slice_axis(training, second, n, true, also(second), choice.scale);
    }
    const auto predictive = predictive_of(run, options);
    auto values           = slice_values(experiment, predictive, grid, held, options.map.class_index, stop);
    if (!values)
        return {};
    const SliceCase slice{.experiment  = experiment,
                          .choice      = choice,
                          .class_index = options.map.class_index,
                          .level       = experiment.study.prediction.level,
                          .grid        = std::move(grid),
                          .held        = std::move(held),
                          .values      = std::move(*values)};
    const bool prediction = choice.quantity == SliceQuantity::prediction;
    Panel panel           = map               ? panel_of_map(slice)
                            : !prediction     ? panel_of_uncertainty(slice)
                            : slice.classes() ? panel_of_probability(slice)
                                              : panel_of_numbers(slice);
    if (!map && averaged && choice.individual && prediction && !first.is_category())
        add_single_rows(panel, slice);
    if (map || prediction)
        add_near_points(panel, slice, inputs);
    mark_selected(panel, slice);
    Chart chart{.id = "slice", .title = "Slice", .caption = caption_of(slice), .panels = {std::move(panel)}};
    if (!map && prediction && !slice.classes() && !averaged && !first.is_category()) {
        const auto conformal = conformal_lines(run, options, slice.grid.x.at, slice.values.samples,
                                               inputs_of_slice(slice), stop);
        if (!conformal)
            return {};
        add_lines(chart, *conformal);
    }
    return with_setting(std::move(chart), run, predictive.n_samples());
}

}   // namespace

View slice_view()
{
    return {
        .id    = "slice",
        .title = "Slice",
        .group = ViewGroup::predictions,
        .help =
            "The prediction along one input of a table, or over two, for any number of inputs. The other inputs have "
            "the values of the selected input, or the medians of the training rows (categories: the most frequent). "
            "Alternatively, predictions are averaged over training rows. This is the partial dependence, (1/R) Σ_r "
            "f_s(x_r with the input at v) for each weight sample s. Numeric targets: median, quartiles and credible "
            "interval of the function, and, dashed, the predictive interval. Classes: mean and credible interval of "
            "one probability. A map over two inputs shows the mean or one of its uncertainties: total, epistemic "
            "(between samples) or aleatoric (noise). Training rows near the slice have full colour; they are paler "
            "beyond a distance of 0.5 and palest beyond 1: the root mean square difference of the other inputs, in "
            "standard deviations. If inputs depend on each other, averages over rows that do not occur can mislead; "
            "the curves of single rows show whether the effect differs between rows. The axis of an input above 0 is "
            "logarithmic if its largest value is at least 100 times the smallest and its skewness is at least 1, "
            "unless you choose otherwise. Sources: Friedman 2001, section 8.2; Goldstein et al. 2015.",
        .needs_input       = true,
        .with_results      = false,
        .coarse_while_live = true,
        .why_not           = why_no_slice,
        .make              = make_slice};
}

}   // namespace credence
