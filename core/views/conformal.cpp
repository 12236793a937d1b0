// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/boxplots.h"
#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "data/dataset.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "views/conformal_sets.h"
#include "views/run_summary.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_classes_drawn = 20;

using ConformalRowList = std::vector<std::size_t>;

ConformalRowList all_conformal_rows(const ConformalRows& rows)
{
    ConformalRowList list(rows.sizes.size());
    std::iota(list.begin(), list.end(), std::size_t{0});
    return list;
}

/// A subset of the rows: all, the farthest ones, or those of a class.
struct ConformalPart {
    std::string name;
    const ConformalRows* rows = nullptr;
    ConformalRowList which;
    Tone tone{Tone::Kind::posterior};   // of its line
    LineStyle style = LineStyle::solid;

    long hits(const ConformalCalibration& calibration, double level) const
    {
        return std::count_if(which.begin(), which.end(),
                             [&](std::size_t i) { return rows->covers(i, calibration, level); });
    }
    double coverage(const ConformalCalibration& calibration, double level) const
    {
        return static_cast<double>(hits(calibration, level)) / static_cast<double>(which.size());
    }
    std::vector<double> sizes() const
    {
        std::vector<double> list;
        for (const auto i : which)
            list.push_back(rows->sizes[i]);
        return list;
    }
};

/// The classes of the test rows, or fifths of them by predictive standard deviation.
std::vector<ConformalPart> parts_within(const ConformalRows& test, const std::vector<std::string>& class_names)
{
    std::vector<ConformalPart> parts;
    auto order = all_conformal_rows(test);
    if (!test.labels.empty()) {
        for (int k = 0; k < static_cast<int>(class_names.size()); ++k) {
            ConformalPart part{class_name(class_names, k), &test, {}};
            std::copy_if(order.begin(), order.end(), std::back_inserter(part.which),
                         [&](std::size_t i) { return test.labels[i] == k; });
            if (!part.which.empty())
                parts.push_back(std::move(part));
        }
        return parts;
    }
    constexpr std::size_t fifths = 5, fewest = 25;
    if (order.size() < fewest)
        return {};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return test.spreads[a] < test.spreads[b]; });
    const char* const names[] = {"lowest", "second", "third", "fourth", "highest"};
    for (std::size_t f = 0; f < fifths; ++f)
        parts.push_back({std::string(names[f]) + " fifth by sd",
                         &test,
                         {order.begin() + static_cast<std::ptrdiff_t>(f * order.size() / fifths),
                          order.begin() + static_cast<std::ptrdiff_t>((f + 1) * order.size() / fifths)}});
    return parts;
}

Line line_of_levels(const ConformalPart& part, const ConformalCalibration& calibration)
{
    Line line{.name = part.name, .x = {}, .y = {}, .tone = part.tone, .style = part.style, .width = 2};
    for (int percent = 5; percent <= 100; percent += 5) {
        line.x.push_back(percent == 100 ? 0.99 : percent / 100.0);
        line.y.push_back(part.coverage(calibration, line.x.back()));
    }
    return line;
}

Panel level_panel(const std::vector<ConformalPart>& sets, const ConformalCalibration& calibration)
{
    Panel panel{.title        = "Coverage against level",
                .x            = {.label = "Level", .range = Range{0, 1}},
                .y            = {.label = "Coverage", .range = probability_range},
                .equal_aspect = true};
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal});
    panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                .at        = calibration.level,
                                .label     = percent_text(calibration.level),
                                .style     = LineStyle::dotted});
    for (const auto& set : sets)
        if (set.rows->known())
            panel.series.push_back(line_of_levels(set, calibration));
    return panel;
}

Panel sizes_of_classes(const ConformalPart& test, const ConformalPart* ood, std::size_t n_classes)
{
    Panel panel{.title = "Set size", .x = {.label = "Classes in the set"}, .y = {.label = "Share of rows"}};
    double largest = 1;
    for (const auto* part : {&test, ood}) {
        if (!part)
            continue;
        std::vector<double> counts(n_classes + 1);
        for (const double size : part->sizes())
            counts[static_cast<std::size_t>(size)] += 1 / static_cast<double>(part->which.size());
        const bool first = part == &test;
        Bars bars{.name    = part->name,
                  .width   = ood ? 0.4 : 0.8,
                  .tone    = first ? Tone{Tone::Kind::posterior} : category(1),
                  .opacity = first ? 0.7 : 0.5};
        for (std::size_t size = 0; size < counts.size(); ++size)
            if (counts[size] > 0 || size <= std::min<std::size_t>(n_classes, 3)) {
                bars.position.push_back(static_cast<double>(size) + (ood ? (first ? -0.2 : 0.2) : 0));
                bars.height.push_back(counts[size]);
                largest = std::max(largest, static_cast<double>(size));
            }
        panel.series.push_back(std::move(bars));
    }
    panel.x.range = Range{-0.6, largest + 0.6};
    return panel;
}

Panel widths_of_numbers(const ConformalPart& test, const ConformalPart* ood, const std::string& unit)
{
    Panel panel{.title = "Interval width", .x = {.label = "Width", .unit = unit}, .y = {.label = "Share of rows"}};
    std::vector<double> finite;
    for (const auto* part : {&test, ood})
        for (const double width : part ? part->sizes() : std::vector<double>())
            if (std::isfinite(width))
                finite.push_back(width);
    if (finite.empty()) {
        panel.note = "All intervals are infinite.";
        return panel;
    }
    constexpr int bins     = 30;
    const auto [low, high] = std::ranges::minmax(finite);
    const bool one         = high - low <= 1e-9 * std::max(1e-300, high);   // absolute residuals
    const double from      = one ? low - 0.5 * std::max(low, 1e-300) / bins : low;
    const double bin       = (one ? std::max(low, 1e-300) : high - low) / bins;
    for (const auto* part : {&test, ood}) {
        if (!part)
            continue;
        const bool first = part == &test;
        Bars bars{.name    = part->name,
                  .width   = bin,
                  .tone    = first ? Tone{Tone::Kind::posterior} : category(1),
                  .opacity = 0.5};
        std::vector<double> counts(bins);
        for (const double width : part->sizes())
            if (std::isfinite(width))
                counts[static_cast<std::size_t>(std::clamp((width - from) / bin, 0.0, bins - 1.0))] +=
                    1 / static_cast<double>(part->which.size());
        for (int b = 0; b < bins; ++b)
            if (counts[static_cast<std::size_t>(b)] > 0) {
                bars.position.push_back(from + (b + 0.5) * bin);
                bars.height.push_back(counts[static_cast<std::size_t>(b)]);
            }
        panel.series.push_back(std::move(bars));
    }
    panel.x.range = one ? Range{0, 1.2 * high} : Range{std::max(0.0, low - 2 * bin), high + 2 * bin};
    return panel;
}

/// @param parts  not empty
Panel coverage_within(std::vector<ConformalPart> parts, const ConformalCalibration& calibration, bool classes)
{
    Panel panel{.title = classes ? "Coverage within classes" : "Coverage by predictive sd",
                .x     = {.label = classes ? "Class" : "Fifth of the test rows"},
                .y     = {.label = "Coverage", .range = probability_range}};
    if (parts.size() > most_classes_drawn) {
        std::stable_sort(parts.begin(), parts.end(), [&](const auto& a, const auto& b) {
            return a.coverage(calibration, calibration.level) < b.coverage(calibration, calibration.level);
        });
        parts.resize(most_classes_drawn);
        panel.note = "The " + std::to_string(most_classes_drawn) + " classes with the lowest coverage.";
    }
    IntervalBars bars{.name = "95 % interval"};
    for (const auto& part : parts) {
        const long n = static_cast<long>(part.which.size()), hits = part.hits(calibration, calibration.level);
        const Range range = share_interval(hits, n);
        bars.bars.push_back({.position = static_cast<double>(bars.bars.size()),
                             .lower    = range.first,
                             .centre   = static_cast<double>(hits) / static_cast<double>(n),
                             .upper    = range.second,
                             .tone     = {Tone::Kind::posterior}});
        panel.x.categories.push_back(classes ? part.name : part.name.substr(0, part.name.find(' ')));
    }
    panel.x.range = Range{-0.5, static_cast<double>(bars.bars.size()) - 0.5};
    panel.series.push_back(std::move(bars));
    panel.series.push_back(Rule{
        .direction = Rule::Direction::horizontal, .at = calibration.level, .label = percent_text(calibration.level)});
    return panel;
}

/// The median, or the middle value if some sizes are infinite.
double middle_size(std::vector<double> sizes)
{
    std::sort(sizes.begin(), sizes.end());
    return std::isfinite(sizes.back()) ? quantile_of_sorted(sizes, 0.5) : sizes[sizes.size() / 2];
}

Table conformal_table(const std::vector<ConformalPart>& parts, const ConformalCalibration& calibration,
                      const std::string& unit, std::size_t n_classes)
{
    const bool classes = n_classes > 0;
    Table table{.columns = {{"Rows"},
                            {"Number"},
                            {"Coverage", "", 4},
                            {"95 % from", "", 4},
                            {"to", "", 4},
                            {"Target", "", 4},
                            {classes ? "Mean set size" : "Mean width", unit, classes ? 3 : -1},
                            {classes ? "Median set size" : "Median width", unit},
                            {"Share with all values", "", 4},
                            {"Share empty", "", 4}},
                .rows    = {}};
    for (const auto& part : parts) {
        const long n     = static_cast<long>(part.which.size());
        const auto sizes = part.sizes();
        const auto share = [&](auto is) {
            return static_cast<double>(std::count_if(sizes.begin(), sizes.end(), is)) / static_cast<double>(n);
        };
        const double everything = classes ? static_cast<double>(n_classes) : INFINITY;
        std::vector<Cell> cells{part.name, n};
        if (part.rows->known()) {
            const long hits   = part.hits(calibration, calibration.level);
            const Range range = share_interval(hits, n);
            cells.insert(cells.end(), {static_cast<double>(hits) / static_cast<double>(n), range.first, range.second});
        } else
            cells.insert(cells.end(), {std::string("true values unknown"), std::string(), std::string()});
        cells.insert(cells.end(), {calibration.level, mean_of(sizes), middle_size(sizes),
                                   share([&](double size) { return size == everything; }),
                                   classes ? Cell(share([](double size) { return size == 0; })) : Cell(std::string())});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string conformal_caption(const ConformalPart& test, const ConformalCalibration& calibration,
                              const Experiment& experiment)
{
    const long n = static_cast<long>(test.which.size()), hits = test.hits(calibration, calibration.level);
    const Range range = share_interval(hits, n);
    std::string text  = "Conformal " + std::string(is_of_classes(calibration.options.score) ? "sets" : "intervals")
                       + " by " + calibration.text() + ". Coverage "
                       + fixed_text(100.0 * static_cast<double>(hits) / static_cast<double>(n), 1) + " % ("
                       + fixed_text(100 * range.first, 1) + "–" + fixed_text(100 * range.second, 1) + " %) of "
                       + test.name
                       + ". It is guaranteed on average over rows that are exchangeable with the calibration rows, not "
                         "for a single row and not for OOD rows.";
    if (experiment.data->test.n_rows == 0 && experiment.data->final_test.n_rows == 0)
        text += " These rows were used for training, so their coverage does not estimate that of new rows.";
    else if (const auto& rows = experiment.study.split; !experiment.data->image && rows.kind != SplitKind::random
                                                        && (rows.kind != SplitKind::folds || !rows.column.empty()))
        text += " The test rows were not drawn at random, so they may not be exchangeable with the calibration "
                "rows.";
    if (const auto small = calibration.too_small(); !small.empty()) {
        const std::size_t fewest = fewest_calibration_rows(calibration.level);
        text += " Fewer than " + std::to_string(fewest) + " calibration rows of " + small.front()
                + (small.size() > 1 ? " and " + std::to_string(small.size() - 1) + " more groups" : "")
                + ": too few for " + percent_text(calibration.level)
                + (is_of_classes(calibration.options.score) ? ", so sets contain every such class."
                                                            : ", so intervals are infinite.");
    }
    return text;
}

std::optional<Chart> make_conformal(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto found       = conformal_evaluation(run, options, stop);
    if (!found)
        return {};
    if (found->test.sizes.empty())
        throw Error("There are no test rows. Set a test share above 0.");
    const auto& calibration = *found->calibration;
    std::optional<ConformalRows> ood;
    std::string no_ood;
    try {
        ood = conformal_ood(run, options, calibration, stop);
        if (!ood)
            return {};
    } catch (const Error& error) {
        no_ood = error.what();
    }

    std::vector<ConformalPart> sets{{found->test.name, &found->test, all_conformal_rows(found->test)}};
    if (found->remote.size() >= 5)
        sets.push_back({"farthest tenth of the test rows",
                        &found->test,
                        found->remote,
                        {Tone::Kind::posterior},
                        LineStyle::dotted});
    const bool with_ood = ood && !ood->sizes.empty();
    if (with_ood)
        sets.push_back({"OOD: " + ood->name, &*ood, all_conformal_rows(*ood), category(1), LineStyle::dashed});

    const auto& training = experiment.data->training;
    const bool classes   = experiment.task() == Task::classification;
    const auto n_classes = classes ? training.n_classes() : 0;
    const auto within    = parts_within(found->test, training.class_names);
    Chart chart{.id = "conformal", .title = "Conformal sets and intervals", .columns = 3};
    chart.panels.push_back(level_panel(sets, calibration));
    chart.panels.push_back(
        classes ? sizes_of_classes(sets.front(), with_ood ? &sets.back() : nullptr, n_classes)
                : widths_of_numbers(sets.front(), with_ood ? &sets.back() : nullptr, training.target_name));
    if (!within.empty())
        chart.panels.push_back(coverage_within(within, calibration, classes));
    auto rows = sets;
    rows.insert(rows.end(), within.begin(), within.end());
    chart.table   = conformal_table(rows, calibration, classes ? "" : target_unit(training.target_name), n_classes);
    chart.caption = conformal_caption(sets.front(), calibration, experiment);
    if (!no_ood.empty())
        chart.caption += " There are no OOD rows: " + no_ood;
    return with_setting(std::move(chart), run, predictive_of(run, options).n_samples());
}

/// Coverage against level of several runs, each on its own test rows.
std::optional<Chart> compare_conformal(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       const std::stop_token& stop)
{
    Chart chart{.id = "compare_conformal", .title = "Conformal sets and intervals of several runs", .columns = 2};
    const auto names = names_of(runs);
    Panel panel{.title        = "Coverage against level",
                .x            = {.label = "Level", .range = Range{0, 1}},
                .y            = {.label = "Coverage", .range = probability_range},
                .series       = {Rule{.direction = Rule::Direction::diagonal, .label = "target"}},
                .equal_aspect = true};
    Table table{.columns = {{"Run"},
                            {"Score"},
                            {"Calibration rows"},
                            {"Test rows"},
                            {"Coverage", "", 4},
                            {"95 % from", "", 4},
                            {"to", "", 4},
                            {"Target", "", 4},
                            {"Mean size or width"}},
                .rows    = {}};
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (const auto why = why_no_conformal(*runs[r].experiment)) {
            Chart refused{.id = chart.id, .title = chart.title};
            refused.message = "Run \"" + names[r] + "\" cannot be compared. " + *why;
            return refused;
        }
        const auto found = conformal_evaluation(runs[r], options, stop);
        if (!found)
            return {};
        const auto& calibration = *found->calibration;
        const ConformalPart part{names[r], &found->test, all_conformal_rows(found->test),
                                 category(static_cast<int>(r))};
        const long n = static_cast<long>(part.which.size()), hits = part.hits(calibration, calibration.level);
        const Range range = share_interval(hits, n);
        panel.series.push_back(line_of_levels(part, calibration));
        table.rows.push_back({names[r], title_of(calibration.options.score), static_cast<long>(calibration.n), n,
                              static_cast<double>(hits) / static_cast<double>(n), range.first, range.second,
                              calibration.level, mean_of(found->test.sizes)});
        settings.push_back(setting_of(runs[r], predictive_of(runs[r], options).n_samples()));
    }
    chart.panels  = {std::move(panel)};
    chart.table   = std::move(table);
    chart.caption = "Coverage of conformal sets or intervals against their level, on the test rows of each run. Ranges "
                    "are exact 95 % intervals (Clopper and Pearson 1934)."
                    + settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

View conformal_view()
{
    return {
        .id    = "conformal",
        .title = "Conformal sets and intervals",
        .group = ViewGroup::uncertainty,
        .help =
            "Split conformal prediction turns scores of the calibration rows into sets of classes or intervals. With n "
            "calibration rows, a value is included if its score is at most the ⌈(n + 1)α⌉-th smallest calibration "
            "score. Then at least the share α of new rows is covered, on average over rows exchangeable with the "
            "calibration rows, for any network. Left: coverage at every level; it should follow the diagonal on test "
            "rows and often does not on out-of-distribution (OOD) rows. Middle: the sizes of the sets or intervals. "
            "Right: coverage within each class, or by predictive standard deviation, which is guaranteed only if you "
            "set prediction.conformal_by. Ranges are exact 95 % intervals (Clopper and Pearson 1934). If the "
            "Study also recalibrates, each of the two uses one half of the calibration rows. Sources: Vovk, Gammerman "
            "and Shafer 2005; Angelopoulos and Bates 2023.",
        .cost              = Cost::all_rows,
        .table_in_results  = true,
        .coarse_while_live = true,
        .why_not           = why_no_conformal,
        .make              = make_conformal,
        .compare           = compare_conformal};
}

}   // namespace credence
