// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "foundation/number_text.h"
#include "prediction/scores.h"
#include "views/compare_runs.h"
#include "views/regression_rows.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

namespace {

/// The isotonic fit from block to block.
Line corp_line(const CorpReliability& corp)
{
    Line line;
    for (const auto& block : corp.blocks)
        for (const double end : {block.lower, block.upper}) {
            line.x.push_back(end);
            line.y.push_back(block.value);
        }
    thin_line(line.x, line.y);
    return line;
}

Panel corp_panel(const std::string& title)
{
    return {.title        = title,
            .x            = {.label = "Confidence", .range = Range{0, 1}},
            .y            = {.label = "Accuracy", .range = Range{0, 1}},
            .series       = {Rule{.direction = Rule::Direction::diagonal, .label = "calibrated"}},
            .equal_aspect = true};
}

Line rejection_line(const Calibration& value)
{
    Line curve;
    for (const auto& point : value.rejection) {
        curve.x.push_back(point.rejected);
        curve.y.push_back(point.error);
    }
    thin_line(curve.x, curve.y, 2000, 1e-5);   // one point per input is more than a picture can show
    return curve;
}

Panel rejection_panel()
{
    return {.title = "Rejection by predictive entropy",
            .x     = {.label = "Share rejected", .range = Range{0, 1}},
            .y     = {.label = "Share wrong among the rest"}};
}

std::string words_of_bin(const std::vector<ReliabilityBin>& bins, double confidence)
{
    const auto bin = std::ranges::lower_bound(bins, confidence, {}, &ReliabilityBin::upper);
    if (bin == bins.end() || bin->count == 0)
        return {};
    return "Confidence " + fixed_text(bin->lower, 2) + " to " + fixed_text(bin->upper, 2) + "\n"
           + grouped_text(bin->count) + " inputs, mean confidence " + fixed_text(bin->mean_confidence(), 3) + ", "
           + fixed_text(bin->accuracy(), 3) + " right";
}

Table calibration_table(const Calibration& value)
{
    Table table{.columns = {{"Quantity"}, {"Value"}}, .rows = {}};
    const auto add = [&](const std::string& name, Cell number) { table.rows.push_back({name, std::move(number)}); };
    add("Inputs", value.n);
    add("Accuracy", value.accuracy);
    add("Mean confidence", value.mean_confidence);
    add("Expected calibration error, 15 bins", value.ece);
    add("Adaptive calibration error, 15 bins of equal count", value.adaptive_ece);
    add("Classwise calibration error, 15 bins per class", value.classwise_ece);
    add("Miscalibration of the confidence (CORP)", value.corp.miscalibration);
    add("Discrimination of the confidence (CORP)", value.corp.discrimination);
    add("Uncertainty of the outcome (CORP)", value.corp.uncertainty);
    for (const auto& bin : value.bins)
        if (bin.count > 0)
            add("Inputs with confidence above " + fixed_text(bin.lower, 3) + " up to " + fixed_text(bin.upper, 3),
                bin.count);
    return table;
}

}   // namespace

Calibration calibration(const ClassPredictions& predictions, std::span<const int> labels, int resamples)
{
    Calibration out;
    out.n = predictions.n_inputs;
    if (out.n == 0)
        return out;
    constexpr std::uint64_t seed = 1;   // of the band: the same for all runs
    const auto correct           = correct_each(predictions, labels);
    out.bins                     = reliability_bins(predictions.confidence, correct);
    out.ece                      = expected_calibration_error(out.bins);
    out.adaptive_ece             = adaptive_calibration_error(predictions.confidence, correct);
    out.classwise_ece            = classwise_calibration_error(predictions.mean, labels);
    out.accuracy = static_cast<double>(std::count(correct.begin(), correct.end(), 1)) / static_cast<double>(out.n);
    out.mean_confidence = mean_max_confidence(predictions);
    out.rejection       = rejection_curve(predictions.entropy, correct);
    out.corp            = corp_reliability(predictions.confidence, correct, seed, 0.95, resamples);
    return out;
}

static Panel reliability_panel(const Calibration& value)
{
    Panel reliability{.title        = "Reliability, ECE " + fixed_text(value.ece, 4),
                      .x            = {.label = "Confidence", .range = Range{0, 1}},
                      .y            = {.label = "Accuracy", .range = Range{0, 1}},
                      .series       = {},
                      .legend       = true,
                      .equal_aspect = true};
    Bars accuracy{.name = "Accuracy in the bin", .width = value.bins.front().upper, .tone = {Tone::Kind::posterior}};
    Points means{.name = "Mean confidence of the bin", .tone = {Tone::Kind::accent}, .marker = Marker::diamond};
    for (std::size_t b = 0; b < value.bins.size(); ++b) {
        const auto& bin = value.bins[b];
        if (bin.count == 0)
            continue;
        if (!value.rows_of_bins.empty())
            accuracy.data_rows.push_back(value.rows_of_bins[b]);
        accuracy.position.push_back((bin.lower + bin.upper) / 2);
        accuracy.height.push_back(bin.accuracy());
        means.x.push_back(bin.mean_confidence());
        means.y.push_back(bin.accuracy());
    }
    reliability.series.push_back(std::move(accuracy));
    reliability.series.push_back(Rule{.direction = Rule::Direction::diagonal, .label = "calibrated"});
    reliability.series.push_back(std::move(means));

    reliability.words_at = [bins = value.bins](double x, double) { return words_of_bin(bins, x); };
    return reliability;
}

Chart to_chart(const Calibration& value)
{
    Chart chart{.id = "calibration", .title = "Calibration", .columns = 3};
    if (value.n == 0) {
        chart.message = view_support::no_labelled_inputs;
        return chart;
    }
    chart.table = calibration_table(value);

    Panel corp       = corp_panel("CORP, miscalibration " + fixed_text(value.corp.miscalibration, 4));
    const auto& band = value.corp.band;
    if (!band.p.empty())
        corp.series.insert(corp.series.begin(), Band{.name  = "Consistency band, " + percent_text(band.level),
                                                     .x     = band.p,
                                                     .lower = band.lower,
                                                     .upper = band.upper,
                                                     .tone  = {Tone::Kind::muted}});
    Line isotonic = corp_line(value.corp);
    isotonic.name = "Isotonic fit";
    isotonic.tone = {Tone::Kind::posterior};
    corp.series.push_back(std::move(isotonic));

    Panel rejection = rejection_panel();
    Line curve      = rejection_line(value);
    curve.tone      = {Tone::Kind::posterior};
    rejection.series.push_back(std::move(curve));
    rejection.series.push_back(
        Rule{.direction = Rule::Direction::horizontal, .at = 1 - value.accuracy, .label = "none rejected"});
    if (value.accuracy == 1)
        rejection.y.range = Range{0, 1};
    chart.panels  = {reliability_panel(value), std::move(corp), std::move(rejection)};
    chart.caption = "Accuracy against confidence in 15 bins (expected calibration error " + fixed_text(value.ece, 4)
                    + ", accuracy " + fixed_text(value.accuracy, 4) + ", mean confidence "
                    + fixed_text(value.mean_confidence, 4)
                    + "); the same without bins, by isotonic regression (CORP), with the pointwise 95 % consistency "
                      "band of calibrated confidences"
                    + (value.corp.band.resamples > 0
                           ? " from " + std::to_string(value.corp.band.resamples) + " resamples"
                           : "")
                    + "; and the error that remains when the "
                      "inputs with the highest predictive entropy are rejected; "
                    + std::to_string(value.n) + " inputs.";
    return chart;
}

using namespace view_support;

namespace {

std::optional<Chart> make_calibration(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto predictions = predictions_of(run, options, stop);
    if (!predictions)
        return {};
    if (predictions->numbers)
        return on_rows(to_chart_of_calibration(*predictions->numbers), run, *predictions->numbers);
    const auto& scored   = *predictions->classes;
    const long n         = std::max(1, scored.set.classes.n_inputs);
    const long resamples = std::clamp(20'000'000 / n, 100L, 400L);   // fewer for large sets: at most some seconds
    auto value           = calibration(scored.set.classes, scored.labels, static_cast<int>(resamples));
    if (value.n > 0) {
        value.rows_of_bins.resize(value.bins.size());
        for (std::size_t i = 0; i < scored.rows.size(); ++i)
            value.rows_of_bins[reliability_bin(value.bins, scored.set.classes.confidence[i])].push_back(
                {DataRow::Part::scored, scored.rows[i]});
    }
    return on_rows(to_chart(value), run, scored);
}

/// Isotonic fits and rejection curves of several runs.
Chart overlay_of_confidences(std::span<const std::string> names, std::span<const TestPredictions> runs)
{
    Chart chart{.id      = "calibration",
                .title   = "Calibration of several runs",
                .caption = "Accuracy against confidence by isotonic regression (CORP), with the "
                           "miscalibration of each run, and the error that remains when the inputs with the highest "
                           "predictive entropy are rejected.",
                .columns = 2};
    chart.table = Table{.columns = {{"Run"},
                                    {"Accuracy", "", 4},
                                    {"Mean confidence", "", 4},
                                    {"Expected calibration error, 15 bins", "", 4},
                                    {"Adaptive calibration error", "", 4},
                                    {"Classwise calibration error", "", 4},
                                    {"Miscalibration (CORP)", "", 5},
                                    {"Discrimination (CORP)", "", 5}},
                        .rows    = {}};
    Panel corp = corp_panel("Reliability by isotonic regression"), rejection = rejection_panel();
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& scored = *runs[r].classes;
        const auto value   = calibration(scored.set.classes, scored.labels, 0);
        Line isotonic = corp_line(value.corp), rejected = rejection_line(value);
        isotonic.name = names[r] + ": " + fixed_text(value.corp.miscalibration, 4);
        rejected.name = names[r];
        isotonic.tone = rejected.tone = category(static_cast<int>(r));
        corp.series.push_back(std::move(isotonic));
        rejection.series.push_back(std::move(rejected));
        chart.table->rows.push_back({names[r], value.accuracy, value.mean_confidence, value.ece, value.adaptive_ece,
                                     value.classwise_ece, value.corp.miscalibration, value.corp.discrimination});
    }
    chart.panels = {std::move(corp), std::move(rejection)};
    return chart;
}

std::optional<Chart> overlay_calibration(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                         const std::stop_token& stop)
{
    const auto of = predictions_of_runs(runs, options, stop);
    if (!of)
        return {};
    if (!of->message.empty())
        return Chart{.id = "calibration", .title = "Calibration of several runs", .message = of->message};
    Chart chart = of->runs.front().numbers ? overlay_of_calibration(of->names, of->runs)
                                           : overlay_of_confidences(of->names, of->runs);
    chart.caption += of->caption;
    return chart;
}

}   // namespace

View calibration_view()
{
    return {
        .id    = "calibration",
        .title = "Calibration",
        .group = ViewGroup::scores,
        .help =
            "Predicted probabilities compared with observed frequencies. Classes, left: predictions sorted into 15 "
            "bins of confidence max p̄. Bars on the diagonal are calibrated; bars below it are overconfident. ECE = Σ "
            "(n_b/n) |accuracy − mean confidence|. Middle: the same without bins, by isotonic regression (CORP). The "
            "grey band contains the curve of calibrated confidences with 95 % probability at each point. Right: the "
            "error that remains when the inputs with the highest predictive entropy are rejected. Numeric targets, "
            "left: the share of rows inside their central interval at each level; below the diagonal the intervals are "
            "too narrow. Right: the histogram of F(y), flat if calibrated; peaks at both ends mean that the intervals "
            "are too narrow, a peak in the middle that they are too wide, and a slope means bias. The grey ranges are "
            "simultaneous: calibrated predictions stay inside at all levels, or in all bins, with 95 % probability. "
            "The table has calibration errors, or the widths and scores of the intervals. Click a bar to list its "
            "rows. Several runs have one line each. Sources: Guo et al. 2017; Dimitriadis, Gneiting and Jordan 2021; "
            "Gneiting, Balabdaoui and Raftery 2007.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .make    = make_calibration,
        .compare = overlay_calibration};
}

}   // namespace credence
