// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_figure_parts.h"

#include "foundation/statistics.h"

#include <algorithm>
#include <array>
#include <set>

namespace credence {
namespace {

using BandCurve = TrainingCurves::Curve;

constexpr std::size_t band_colours     = 8;     // afterwards the colours repeat with other line styles
constexpr std::size_t most_band_names  = 24;    // groups in a legend
constexpr std::size_t most_thin_curves = 200;   // with more runs the thin lines would hide the picture

struct BandPanel {
    const char* title;
    const char* label;
    BandCurve TrainingCurves::*curve;
};

double in_unit(const TrainingCurves& run, double value, bool error)
{
    return error && run.task == Task::classification ? 100 * value : value;
}

/// The curve of each run that has one, in the panel's unit.
std::vector<BandCurve> curves_of_group(const CurveGroup& group, const BandPanel& kind)
{
    const bool error = kind.curve == &TrainingCurves::test_error || kind.curve == &TrainingCurves::training_error;
    std::vector<BandCurve> curves;
    for (const auto& run : group.runs) {
        BandCurve curve = run.*kind.curve;
        for (double& value : curve.value)
            value = in_unit(run, value, error);
        if (!curve.empty())
            curves.push_back(std::move(curve));
    }
    return curves;
}

/// Layers from bottom to top: bands, thin lines of single runs, means.
struct BandLayers {
    std::vector<Series> bands{}, thin{}, means{};
};

void add_group(BandLayers& to, const std::string& name, std::size_t number, const std::vector<BandCurve>& curves,
               bool thin)
{
    if (curves.empty())
        return;
    std::vector<const BandCurve*> pointers;
    for (const auto& curve : curves)
        pointers.push_back(&curve);
    const auto band = band_of(pointers);
    const Tone tone = category(static_cast<int>(number));
    constexpr std::array styles{LineStyle::solid, LineStyle::dashed, LineStyle::dotted};
    if (curves.size() > 1) {
        to.bands.push_back(
            Band{.x = band.step, .lower = band.lower, .upper = band.upper, .tone = tone, .opacity = 0.18});
        if (thin)
            for (const auto& curve : curves)
                to.thin.push_back(Line{.x = curve.step, .y = curve.value, .tone = tone, .width = 0.6, .opacity = 0.4});
    }
    to.means.push_back(Line{.name  = name,
                            .x     = band.step,
                            .y     = band.mean,
                            .tone  = tone,
                            .style = styles[number / band_colours % styles.size()],
                            .width = 2});
}

/// Training errors and regression errors are in units of the target.
Axis axis_of_band(const BandPanel& kind, const std::vector<CurveGroup>& groups)
{
    if (kind.curve == &TrainingCurves::data_loss || kind.curve == &TrainingCurves::kl)
        return {.label = kind.label, .unit = "nats"};
    for (const auto& group : groups)
        for (const auto& run : group.runs)
            return run.task == Task::classification ? Axis{.label = kind.label, .unit = "%"}
                                                    : Axis{.label = "RMSE", .unit = run.error_unit};
    return {.label = kind.label};
}

std::string runs_in_words(const std::vector<CurveGroup>& groups)
{
    std::size_t least = groups.front().runs.size(), most = 0;
    for (const auto& group : groups)
        if (!group.runs.empty()) {
            least = std::min(std::max<std::size_t>(1, least), group.runs.size());
            most  = std::max(most, group.runs.size());
        }
    if (most <= 1)
        return "one run per setting.";
    return "mean over " + (least == most ? std::string() : std::to_string(least) + " to ") + std::to_string(most)
           + " seeds at the steps that all of them recorded; band: mean ± standard deviation.";
}

std::optional<Table> roughness_table(const std::vector<CurveGroup>& groups)
{
    Table table{.columns = {{"Setting"}, {"Runs"}, {"Roughness of the data loss", "%", 2}, {"sd", "%", 2}}, .rows = {}};
    for (const auto& group : groups)
        if (const auto over = mean_and_sd(group.roughness))
            table.rows.push_back({group.name, static_cast<long>(over->n), 100 * over->mean,
                                  over->sd ? Cell(100 * *over->sd) : Cell(std::string())});
    return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

}   // namespace

CurveBand band_of(const std::vector<const TrainingCurves::Curve*>& curves)
{
    CurveBand out;
    if (curves.empty())
        return out;
    std::vector<std::size_t> at(curves.size(), 0);
    for (const double step : curves.front()->step) {
        std::vector<double> values;
        for (std::size_t c = 0; c < curves.size(); ++c) {
            const auto& curve = *curves[c];
            while (at[c] < curve.step.size() && curve.step[at[c]] < step)
                ++at[c];
            if (at[c] < curve.step.size() && curve.step[at[c]] == step)
                values.push_back(curve.value[at[c]]);
        }
        const auto over = values.size() == curves.size() ? mean_and_sd(values) : std::nullopt;
        if (!over || over->n != curves.size())
            continue;
        out.step.push_back(step);
        out.mean.push_back(over->mean);
        out.lower.push_back(over->mean - over->sd.value_or(0));
        out.upper.push_back(over->mean + over->sd.value_or(0));
    }
    return out;
}

Chart to_chart(const std::vector<CurveGroup>& groups)
{
    Chart chart{.id = "sweep_training", .title = "Training of all runs", .columns = 2};
    std::size_t n_runs = 0;
    std::set<std::string> tests;
    for (const auto& group : groups)
        for (const auto& run : group.runs) {
            ++n_runs;
            tests.insert(run.test_name);
        }
    const std::string test  = tests.size() == 1 ? *tests.begin() : "validation or test";
    const std::string title = "Error, " + test + " set";
    const std::array panels{BandPanel{"Data loss per example", "Loss", &TrainingCurves::data_loss},
                            BandPanel{"KL to the prior", "KL", &TrainingCurves::kl},
                            BandPanel{"Error, training set", "Error", &TrainingCurves::training_error},
                            BandPanel{title.c_str(), "Error", &TrainingCurves::test_error}};
    for (const auto& kind : panels) {
        BandLayers layers;
        for (std::size_t g = 0; g < groups.size(); ++g)
            add_group(layers, groups[g].name, g, curves_of_group(groups[g], kind), n_runs <= most_thin_curves);
        if (layers.means.empty())
            continue;
        Panel panel{.title  = kind.title,
                    .x      = {.label = "Step"},
                    .y      = axis_of_band(kind, groups),
                    .legend = groups.size() <= most_band_names};
        for (auto* part : {&layers.bands, &layers.thin, &layers.means})
            for (auto& series : *part)
                panel.series.push_back(std::move(series));
        chart.panels.push_back(std::move(panel));
    }
    if (chart.panels.empty()) {
        chart.message = "No run of this sweep has recorded anything yet.";
        return chart;
    }
    chart.table   = roughness_table(groups);
    chart.caption = "Training of " + std::to_string(n_runs) + (n_runs == 1 ? " run: " : " runs: ")
                    + runs_in_words(groups);
    if (n_runs > most_thin_curves)
        chart.caption += " There are too many runs to draw each one.";
    else if (chart.caption.find("band") != std::string::npos)
        chart.caption += " Thin lines: each run.";
    return chart;
}

}   // namespace credence
