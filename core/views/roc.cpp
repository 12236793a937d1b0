// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "data/dataset.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_named    = 16;    // classes with their own colour (and dash)
constexpr std::size_t most_drawn    = 100;   // with more classes only the worst curves are drawn
constexpr std::size_t worst_shown   = 10;
constexpr std::size_t points_of_few = 800, points_of_many = 200;   // of a curve

Line line_of(const RocCurve& curve, std::size_t most, double& tolerance)
{
    Line line{.x = curve.false_positive, .y = curve.true_positive};
    tolerance = std::max(tolerance, thin_line(line.x, line.y, most));
    return line;
}

/// Classes that have a curve, smallest area first.
std::vector<std::size_t> classes_by_area(const OneAgainstAll& roc)
{
    std::vector<std::size_t> classes;
    for (std::size_t k = 0; k < roc.classes.size(); ++k)
        if (roc.classes[k])
            classes.push_back(k);
    std::stable_sort(classes.begin(), classes.end(),
                     [&](std::size_t a, std::size_t b) { return roc.classes[a]->area < roc.classes[b]->area; });
    return classes;
}

/// Height of a curve at x, the upper value at a vertical step.
double height_at(const RocCurve& curve, double x)
{
    const auto after = std::upper_bound(curve.false_positive.begin(), curve.false_positive.end(), x);
    const auto i     = static_cast<std::size_t>(after - curve.false_positive.begin());
    if (i == curve.false_positive.size())
        return curve.true_positive.back();
    const double x0 = curve.false_positive[i - 1], y0 = curve.true_positive[i - 1];
    return y0 + (x - x0) / (curve.false_positive[i] - x0) * (curve.true_positive[i] - y0);
}

/// Returns the window (x, y) that shows the bend of a curve; empty if the whole square shows it
/// well.
std::optional<std::pair<Range, Range>> corner_of(const RocCurve& mean)
{
    if (mean.area < 0.95)
        return {};
    double width = 0.5, low = 0.5;
    for (const double candidate : {0.2, 0.1, 0.05, 0.02, 0.01, 0.005})
        if (height_at(mean, candidate) >= 0.995)
            width = candidate;
    for (const double candidate : {0.8, 0.9, 0.95, 0.98, 0.99, 0.995})
        if (height_at(mean, width / 50) >= candidate)
            low = candidate;
    return std::pair{Range{0, width}, Range{low, 1}};
}

/// Adds a panel of curves whose first series is the diagonal, and next to it, if there is a corner,
/// the same curves enlarged there.
void add_with_corner(Chart& chart, Panel panel, const std::optional<std::pair<Range, Range>>& corner)
{
    chart.panels.push_back(panel);
    if (corner) {
        panel.title        = "Enlarged corner";
        panel.x.range      = corner->first;
        panel.y.range      = corner->second;
        panel.equal_aspect = false;
        panel.series.erase(panel.series.begin());   // the diagonal is far away
        chart.panels.push_back(std::move(panel));
    }
    chart.columns = static_cast<int>(chart.panels.size());
}

constexpr std::size_t roc_colours = 8;   // afterwards the colours repeat with other line styles

RocCurve mean_over_runs(const RocOfRuns& entry)
{
    std::vector<const RocCurve*> curves;
    for (const auto& mean : entry.means)
        curves.push_back(&mean);
    return mean_curve(curves);
}

MeanAndSd area_of(const RocOfRuns& entry)
{
    std::vector<double> areas;
    for (const auto& mean : entry.means)
        areas.push_back(mean.area);
    return mean_and_sd(areas).value_or(MeanAndSd{});
}

std::string area_text(const MeanAndSd& area)
{
    return fixed_text(area.mean, 4) + (area.sd ? " ± " + fixed_text(*area.sd, 4) : "");
}

/// The window that contains both corners.
void widen(std::optional<std::pair<Range, Range>>& corner, const std::optional<std::pair<Range, Range>>& other)
{
    if (!other)
        return;
    if (!corner)
        corner = other;
    corner->first.second = std::max(corner->first.second, other->first.second);
    corner->second.first = std::min(corner->second.first, other->second.first);
}

/// @param by_area    classes with a curve, smallest area first; `n_drawn` of them are drawn
/// @param tolerance  largest distance of a drawn curve from the exact one
std::string caption_of(const RocFigure& value, const std::vector<std::size_t>& by_area, std::size_t n_drawn,
                       double tolerance)
{
    const std::size_t K = value.roc.classes.size();
    std::string caption =
        "True positive rate against false positive rate of each class against all others, by its mean probability, "
        "and the mean of the curves; "
        + std::to_string(value.n) + " inputs. Area under the mean curve: " + fixed_text(value.roc.mean->area, 5) + ".";
    if (n_drawn < by_area.size())
        caption += " Of " + std::to_string(by_area.size()) + " curves the " + std::to_string(worst_shown)
                   + " with the smallest areas are drawn, and the mean of all.";
    if (by_area.size() > 2) {
        caption += " Lowest:";
        for (std::size_t i = 0; i < std::min<std::size_t>(3, by_area.size()); ++i)
            caption += (i ? ", " : " ") + value.class_names[by_area[i]] + " ("
                       + fixed_text(value.roc.classes[by_area[i]]->area, 5) + ")";
        caption += ".";
    }
    if (K == 2)
        caption += " With two classes the two curves mirror each other and have the same area.";
    if (const auto absent = K - by_area.size(); absent > 0)
        caption += " " + std::to_string(absent)
                   + (absent == 1 ? " class has no inputs and no curve."
                                  : " classes have no inputs and no "
                                    "curve.");
    if (tolerance > 1e-3)
        caption += " Curves are drawn to within " + number_text(tolerance, 1) + " of the side.";
    return caption;
}

std::optional<Chart> make_roc(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    return on_rows(
        to_chart(roc_figure(scored->set.classes, scored->labels, run.experiment->data->training.class_names)), run,
        *scored);
}

/// The mean curves of several runs in one panel: Steinbrener et al. 2020, Fig. 3.
std::optional<Chart> overlay_roc(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                 const std::stop_token& stop)
{
    const auto names = names_of(runs);
    std::vector<RocOfRuns> entries;
    std::string rows;
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const ProgressScope part(static_cast<double>(r) / static_cast<double>(runs.size()),
                                 static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        const auto& experiment = *runs[r].experiment;
        auto why               = why_no_classes_to_count(experiment);
        const auto scored      = why ? nullptr : scored_predictions(runs[r], options, stop);
        if (!why && !scored)
            return {};
        std::optional<RocCurve> mean;
        if (!why && scored->labels.empty())
            why = view_support::no_labelled_inputs;
        if (!why) {
            mean = one_against_all(scored->set.classes, scored->labels).mean;
            if (!mean)
                why = "All labelled inputs belong to one class; a ROC curve needs at least two.";
        }
        const auto here = why ? std::string() : experiment.data->training.name + ", " + scored->name;
        if (!why && !entries.empty() && here != rows)
            why = "It was evaluated on " + here + ", the first run on " + rows + ".";
        if (why) {
            Chart refused   = overlay_of_rocs({});
            refused.message = "Run \"" + names[r] + "\" cannot be compared. " + *why;
            return refused;
        }
        rows = here;
        entries.push_back({names[r], {std::move(*mean)}});
        settings.push_back(setting_of(runs[r], scored->set.n_samples));
    }
    Chart chart = overlay_of_rocs(entries);
    if (chart.message.empty())
        chart.caption += " Rows: " + rows + "." + settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

RocFigure roc_figure(const ClassPredictions& predictions, std::span<const int> labels,
                     const std::vector<std::string>& class_names)
{
    return {.roc         = one_against_all(predictions, labels),
            .class_names = class_names_of(class_names, predictions.n_classes),
            .n           = predictions.n_inputs};
}

Chart to_chart(const RocFigure& value)
{
    Chart chart{.id = "roc", .title = "ROC"};
    if (value.n == 0) {
        chart.message = view_support::no_labelled_inputs;
        return chart;
    }
    if (!value.roc.mean) {
        chart.message = "All labelled inputs belong to one class; a ROC curve needs at least two.";
        return chart;
    }
    const std::size_t K = value.roc.classes.size();
    Panel panel{.title        = "Mean AUROC " + fixed_text(value.roc.mean->area, 4),
                .x            = {.label = "False positive rate", .range = Range{0, 1}},
                .y            = {.label = "True positive rate", .range = Range{0, 1}},
                .series       = {},
                .legend       = true,
                .equal_aspect = true};
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal, .label = "chance"});
    const auto by_area     = classes_by_area(value.roc);
    const bool worst_alone = K > most_drawn, named = K <= most_named || worst_alone;
    auto drawn = by_area;
    if (worst_alone)
        drawn.resize(std::min(drawn.size(), worst_shown));
    else
        std::sort(drawn.begin(), drawn.end());
    double tolerance = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const std::size_t k = drawn[i], colour = worst_alone ? i : k;
        const auto& curve = *value.roc.classes[k];
        Line line         = line_of(curve, K <= most_named ? points_of_few : points_of_many, tolerance);
        line.name    = named ? value.class_names[k] + ": " + fixed_text(curve.area, 4) : k == 0 ? "Each class" : "";
        line.tone    = named ? category(static_cast<int>(colour)) : Tone{Tone::Kind::muted};
        line.style   = named && colour >= 8 ? LineStyle::dashed : LineStyle::solid;
        line.width   = 1;
        line.opacity = named ? 1 : 0.4;
        panel.series.push_back(std::move(line));
    }
    Line mean  = line_of(*value.roc.mean, points_of_few, tolerance);
    mean.name  = "Mean";
    mean.tone  = {Tone::Kind::neutral};
    mean.width = 2.2;
    panel.series.push_back(std::move(mean));
    add_with_corner(chart, std::move(panel), corner_of(*value.roc.mean));
    chart.caption = caption_of(value, by_area, drawn.size(), tolerance);
    return chart;
}

Chart overlay_of_rocs(std::span<const RocOfRuns> entries)
{
    Chart chart{.id = "overlay_roc", .title = "ROC of several runs"};
    const bool seeds = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.means.size() > 1; });
    Panel panel{.title        = "Mean over the classes",
                .x            = {.label = "False positive rate", .range = Range{0, 1}},
                .y            = {.label = "True positive rate", .range = Range{0, 1}},
                .series       = {},
                .legend       = true,
                .equal_aspect = true};
    Table table{.columns = {{"Run"}, {"AUROC", "", 5}}, .rows = {}};
    if (seeds)
        table.columns = {{"Setting"}, {"Runs"}, {"AUROC", "", 5}, {"sd", "", 5}};
    std::optional<std::pair<Range, Range>> corner;
    double tolerance = 0;
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal, .label = "chance"});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].means.empty())
            continue;
        const auto mean = mean_over_runs(entries[i]);
        const auto area = area_of(entries[i]);
        constexpr std::array styles{LineStyle::solid, LineStyle::dashed, LineStyle::dotted};
        Line line{.name  = entries[i].name + ": " + area_text(area),
                  .x     = mean.false_positive,
                  .y     = mean.true_positive,
                  .tone  = category(static_cast<int>(i)),
                  .style = styles[i / roc_colours % styles.size()],
                  .width = 2};
        tolerance = std::max(tolerance, thin_line(line.x, line.y));
        panel.series.push_back(std::move(line));
        widen(corner, corner_of(mean));
        if (seeds)
            table.rows.push_back({entries[i].name, static_cast<long>(area.n), area.mean,
                                  area.sd ? Cell(*area.sd) : Cell(std::string())});
        else
            table.rows.push_back({entries[i].name, area.mean});
    }
    if (table.rows.empty()) {
        chart.message = "No run is selected. Tick the runs to overlay.";
        return chart;
    }
    add_with_corner(chart, std::move(panel), corner);
    chart.table = std::move(table);
    chart.caption =
        "Mean of the ROC curves of each class against all others, by its mean probability, and the area under it "
        "(AUROC)"
        + std::string(seeds ? ": mean over the seeds ± standard deviation." : ".");
    if (tolerance > 1e-3)
        chart.caption += " Curves are drawn to within " + number_text(tolerance, 1) + " of the side.";
    return chart;
}

View roc_view()
{
    return {
        .id    = "roc",
        .title = "ROC",
        .group = ViewGroup::scores,
        .help =
            "How well the mean probability p̄ of each class separates it from all others. Each curve shows the share "
            "of its inputs above a threshold (true positives) against the share of the others above it (false "
            "positives), for all thresholds; another curve is their mean. AUROC = P(p̄ of a member > p̄ of a "
            "non-member) + ½ P(equal): 1 is perfect, ½ is chance. If the curves hug the corner, a second panel "
            "enlarges it. Several runs at once: the mean curve of each in one panel, with its area. Source: "
            "Steinbrener et al. 2020, Fig. 3.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_roc,
        .compare = overlay_roc};
}

}   // namespace credence
