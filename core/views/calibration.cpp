// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "charts/thin_line.h"
#include "prediction/scores.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

Calibration calibration(const ClassPredictions& predictions, std::span<const int> labels)
{
    Calibration out;
    out.n = predictions.n_inputs;
    if (out.n == 0)
        return out;
    const auto correct = correct_each(predictions, labels);
    out.bins           = reliability_bins(predictions.confidence, correct);
    out.ece            = expected_calibration_error(out.bins);
    out.accuracy = static_cast<double>(std::count(correct.begin(), correct.end(), 1)) / static_cast<double>(out.n);
    out.mean_confidence = mean_max_confidence(predictions);
    out.rejection       = rejection_curve(predictions.entropy, correct);
    return out;
}

Chart to_chart(const Calibration& value)
{
    Chart chart{.id = "calibration", .title = "Calibration", .columns = 2};
    if (value.n == 0) {
        chart.message = "There are no labelled inputs. Set a test share above 0.";
        return chart;
    }
    Panel reliability{.title        = "Reliability, ECE " + fixed_text(value.ece, 4),
                      .x            = {.label = "Confidence", .range = Range{0, 1}},
                      .y            = {.label = "Share right", .range = Range{0, 1}},
                      .series       = {},
                      .legend       = true,
                      .equal_aspect = true};
    Bars accuracy{.name = "Share right in the bin", .width = value.bins.front().upper, .tone = {Tone::Kind::posterior}};
    Points means{.name = "Mean confidence of the bin", .tone = {Tone::Kind::accent}, .marker = Marker::diamond};
    chart.table = Table{
        .columns = {{"Confidence above"}, {"up to"}, {"Inputs"}, {"Mean confidence", "", 4}, {"Share right", "", 4}}};
    for (const auto& bin : value.bins) {
        if (bin.count == 0)
            continue;
        accuracy.position.push_back((bin.lower + bin.upper) / 2);
        accuracy.height.push_back(bin.accuracy());
        means.x.push_back(bin.mean_confidence());
        means.y.push_back(bin.accuracy());
        chart.table->rows.push_back({bin.lower, bin.upper, bin.count, bin.mean_confidence(), bin.accuracy()});
    }
    reliability.series.push_back(std::move(accuracy));
    reliability.series.push_back(Rule{.direction = Rule::Direction::diagonal, .label = "calibrated"});
    reliability.series.push_back(std::move(means));

    Panel rejection{.title = "Rejection by predictive entropy",
                    .x     = {.label = "Share rejected", .range = Range{0, 1}},
                    .y     = {.label = "Share wrong among the rest"}};
    Line curve{.x = {}, .tone = {Tone::Kind::posterior}};
    for (const auto& point : value.rejection) {
        curve.x.push_back(point.rejected);
        curve.y.push_back(point.error);
    }
    thin_line(curve.x, curve.y, 2000, 1e-5);   // one point per input is more than a picture can show
    rejection.series.push_back(std::move(curve));
    rejection.series.push_back(
        Rule{.direction = Rule::Direction::horizontal, .at = 1 - value.accuracy, .label = "none rejected"});
    if (value.accuracy == 1)
        rejection.y.range = Range{0, 1};
    chart.panels  = {std::move(reliability), std::move(rejection)};
    chart.caption = "Share of right predictions against confidence in 15 bins (expected calibration error "
                    + fixed_text(value.ece, 4) + ", accuracy " + fixed_text(value.accuracy, 4) + ", mean confidence "
                    + fixed_text(value.mean_confidence, 4)
                    + "), and the error that remains when the "
                      "inputs with the highest predictive entropy are rejected; "
                    + std::to_string(value.n) + " inputs.";
    return chart;
}

using namespace view_support;

namespace {

std::optional<Chart> make_calibration(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    return on_rows(to_chart(calibration(scored->set.classes, scored->labels)), run, *scored);
}

}   // namespace

View calibration_view()
{
    return {
        .id    = "calibration",
        .title = "Calibration",
        .group = ViewGroup::scores,
        .help  = "Left: does the network know how often it is right? Predictions are sorted into 15 bins of confidence "
                 "max p̄. Bars on the diagonal are calibrated; bars below it are overconfident. ECE = Σ (n_b/n) |share "
                 "right − mean confidence|. Right: the error that remains when the inputs with the highest predictive "
                 "entropy are rejected. It should fall. Source: Guo et al. 2017.",
        .asks  = Asks::labels,
        .cost  = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_calibration};
}

}   // namespace credence
