// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/corruptions.h"

#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/scores.h"
#include "runs/result_cache.h"
#include "views/image_rows.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t usual_images      = 500;   // default of the options
constexpr int most_samples              = 20;    // default of the options: at most this many for each prediction
constexpr std::uint64_t corruption_seed = 1;     // the same corrupted images for all runs

/// A score at severities 0 to 5.
using BySeverity = std::array<double, corruption_severities + 1>;

double mean_when_corrupted(const BySeverity& score)
{
    return std::accumulate(score.begin() + 1, score.end(), 0.0) / corruption_severities;
}

struct CorruptionScores {
    BySeverity accuracy{}, ece{}, entropy{};
};

/// The scores of a run for every kind of corruption.
struct CorruptionBench {
    std::array<CorruptionScores, corruption_kinds> kinds{};
    std::string rows{};   ///< "test set, 500 of 2000 images, evenly spaced"
};

std::optional<std::string> why_not_corruptions(const Experiment& experiment)
{
    if (has_images(experiment))
        return {};
    return "Corruptions need image data with classes.";
}

ViewOptions with_usual_samples(const RunSnapshot& run, ViewOptions options)
{
    if (options.samples <= 0)
        options.samples = std::min(run.experiment->study.prediction.samples, most_samples);
    return options;
}

/// @return  null: stopped
std::shared_ptr<const CorruptionBench> computed_bench(const RunSnapshot& run, const ViewOptions& options,
                                                      const std::stop_token& stop)
{
    const auto& data      = *run.experiment->data;
    const auto shape      = *data.image;
    const auto d          = static_cast<std::size_t>(shape.size());
    const auto set        = scored_set(*run.experiment);
    const auto rows       = evenly_spaced(set.data->n_rows,
                                    options.rows > 0 ? static_cast<std::size_t>(options.rows) : usual_images);
    const auto predictive = predictive_of(run, options);

    auto out  = std::make_shared<CorruptionBench>();
    out->rows = set.name;
    if (rows.size() < set.data->n_rows)
        out->rows += ", " + std::to_string(rows.size()) + " of " + std::to_string(set.data->n_rows)
                     + " images, evenly spaced";
    std::vector<float> images;
    std::vector<int> labels;
    for (const std::size_t row : rows) {
        const auto first = set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        images.insert(images.end(), first, first + static_cast<std::ptrdiff_t>(d));
        labels.push_back(set.data->labels[row]);
    }
    data.inputs.undo(images);

    constexpr int parts = 1 + corruption_kinds * corruption_severities;
    int part            = 0;
    const auto scores   = [&](Corruption kind, int severity) -> std::optional<ClassificationScores> {
        const ProgressScope of_part(static_cast<double>(part) / parts, static_cast<double>(part + 1) / parts);
        ++part;
        std::vector<float> inputs(images.size());
        parallel_for(rows.size(), [&](std::size_t i) {
            const auto one = corrupted(std::span(images).subspan(i * d, d), shape, kind, severity,
                                         static_cast<std::uint32_t>(rows[i]), corruption_seed);
            std::copy(one.begin(), one.end(), inputs.begin() + static_cast<std::ptrdiff_t>(i * d));
        });
        data.inputs.apply(inputs);
        const auto summary = predictive.summarise(inputs, static_cast<int>(rows.size()), stop);
        if (stop.stop_requested())
            return {};
        return classification_scores(class_predictions(summary), labels);
    };
    std::optional<ClassificationScores> clean;
    for (int kind = 0; kind < corruption_kinds; ++kind)
        for (int severity = 0; severity <= corruption_severities; ++severity) {
            const auto found = severity == 0 && clean ? clean : scores(static_cast<Corruption>(kind), severity);
            if (!found)
                return nullptr;
            if (!clean)
                clean = found;
            auto& all              = out->kinds[kind];
            all.accuracy[severity] = found->accuracy;
            all.ece[severity]      = found->ece;
            all.entropy[severity]  = found->mean_entropy;
        }
    return out;
}

/// Returns the results of a run. The last few are cached, so that selecting another run computes
/// only that run.
/// @param options  with_usual_samples
std::shared_ptr<const CorruptionBench> corruption_bench(const RunSnapshot& run, const ViewOptions& options,
                                                        const std::stop_token& stop)
{
    static ResultCache<SnapshotKey<int, int>, CorruptionBench> memory(12);   // by samples and rows
    return memory.find_or_make({run, options.samples, options.rows}, stop,
                               [&] { return computed_bench(run, options, stop); });
}

/// Line of the mean over the kinds.
Line mean_line(const std::string& name, int run, const CorruptionBench& bench, BySeverity CorruptionScores::*score)
{
    Line line{.name = name, .tone = category(run), .width = 2};
    for (int severity = 0; severity <= corruption_severities; ++severity) {
        double sum = 0;
        for (const auto& kind : bench.kinds)
            sum += (kind.*score)[severity];
        line.x.push_back(severity);
        line.y.push_back(sum / corruption_kinds);
    }
    return line;
}

/// Band from the lowest to the highest kind.
Band range_of_kinds(const CorruptionBench& bench, BySeverity CorruptionScores::*score)
{
    Band band{.name = "lowest to highest kind", .tone = category(0)};
    for (int severity = 0; severity <= corruption_severities; ++severity) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto& kind : bench.kinds) {
            low  = std::min(low, (kind.*score)[severity]);
            high = std::max(high, (kind.*score)[severity]);
        }
        band.x.push_back(severity);
        band.lower.push_back(low);
        band.upper.push_back(high);
    }
    return band;
}

/// One row for each kind and run; the kind with the lowest mean accuracy comes first.
Table table_of(std::span<const std::string> names, std::span<const std::shared_ptr<const CorruptionBench>> benches)
{
    Table table{.columns = {{"Run"}, {"Corruption"}}, .rows = {}};
    for (int severity = 0; severity <= corruption_severities; ++severity)
        table.columns.push_back({"Severity " + std::to_string(severity), "", 3});
    for (const Column& mean : {Column{"Mean accuracy", "", 4}, {"Mean ECE", "", 4}, {"Mean entropy", "nats", 4}})
        table.columns.push_back(mean);

    std::array<int, corruption_kinds> order{};
    std::array<double, corruption_kinds> accuracy{};
    std::iota(order.begin(), order.end(), 0);
    for (const int kind : order)
        for (const auto& bench : benches)
            accuracy[kind] += mean_when_corrupted(bench->kinds[kind].accuracy);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return accuracy[a] < accuracy[b]; });
    for (const int kind : order)
        for (std::size_t r = 0; r < benches.size(); ++r) {
            const auto& scores = benches[r]->kinds[kind];
            std::vector<Cell> row{names[r], title_of(static_cast<Corruption>(kind))};
            for (const double at_severity : scores.accuracy)
                row.emplace_back(at_severity);
            for (const auto* score : {&scores.accuracy, &scores.ece, &scores.entropy})
                row.emplace_back(mean_when_corrupted(*score));
            table.rows.push_back(std::move(row));
        }
    return table;
}

Chart chart_of(std::span<const std::string> names, std::span<const std::shared_ptr<const CorruptionBench>> benches)
{
    Chart chart{.id = "corruptions", .title = "Corruptions", .columns = 3};
    const Axis severity{.label = "Severity", .range = Range{0, corruption_severities}};
    const auto panel = [&](Axis y, BySeverity CorruptionScores::*score) {
        Panel out{.x = severity, .y = std::move(y)};
        if (benches.size() == 1)
            out.series.push_back(range_of_kinds(*benches.front(), score));
        for (std::size_t r = 0; r < benches.size(); ++r)
            out.series.push_back(mean_line(benches.size() == 1 ? "mean over the kinds" : names[r], static_cast<int>(r),
                                           *benches[r], score));
        chart.panels.push_back(std::move(out));
    };
    panel({.label = "Accuracy", .range = Range{0, 1}}, &CorruptionScores::accuracy);
    panel({.label = "Expected calibration error"}, &CorruptionScores::ece);
    panel({.label = "Mean predictive entropy", .unit = "nats"}, &CorruptionScores::entropy);
    chart.table   = table_of(names, benches);
    chart.caption = "Accuracy, expected calibration error (15 bins) and mean predictive entropy of corrupted images "
                    "against severity, mean over 15 kinds of corruption"
                    + std::string(benches.size() == 1 ? " (band: from the lowest to the highest kind)" : "")
                    + ". The table lists accuracy by kind and severity, lowest mean accuracy first, and the means "
                      "over severities 1 to 5.";
    return chart;
}

std::optional<Chart> compare_corruptions(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                         const std::stop_token& stop)
{
    Chart refused{.id = "corruptions", .title = "Corruptions"};
    if (runs.empty()) {
        refused.message = "No run is selected. Tick the runs to compare.";
        return refused;
    }
    const auto names = names_of(runs);
    std::vector<std::shared_ptr<const CorruptionBench>> benches;
    std::vector<std::string> captions;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (const auto sentence = why_not_corruptions(*runs[r].experiment)) {
            refused.message = "Run \"" + names[r] + "\" cannot be compared. " + *sentence;
            return refused;
        }
        const ProgressScope of_run(static_cast<double>(r) / static_cast<double>(runs.size()),
                                   static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        const auto wanted = with_usual_samples(runs[r], options);
        auto bench        = corruption_bench(runs[r], wanted, stop);
        if (!bench)
            return {};
        captions.push_back("Rows: the " + bench->rows + ". "
                           + setting_of(runs[r], predictive_of(runs[r], wanted).n_samples()));
        benches.push_back(std::move(bench));
    }
    Chart chart = chart_of(names, benches);
    chart.caption += runs.size() == 1 ? " " + captions.front() : settings_side_by_side(names, captions);
    return chart;
}

std::optional<Chart> make_corruptions(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    return compare_corruptions(std::span(&run, 1), options, stop);
}

}   // namespace

View corruptions_view()
{
    return {
        .id    = "corruptions",
        .title = "Corruptions",
        .group = ViewGroup::uncertainty,
        .help =
            "Accuracy, calibration and uncertainty of the test set when its images are corrupted. Each test image is "
            "corrupted in 15 ways: Gaussian, shot and impulse noise; defocus, glass, motion and zoom blur; snow, frost "
            "and fog; brightness, contrast, elastic transformation, pixelation and JPEG compression. Severity 0 is the "
            "image itself, 5 the strongest corruption. The lines are means over the kinds. A good network becomes less "
            "accurate slowly, and less confident at the same rate: the calibration error stays low and the entropy "
            "rises. If accuracy falls and entropy does not, the network is overconfident on such images. The table "
            "lists the most harmful kinds first. All runs see the same corrupted images: at most 500, evenly spaced, "
            "with at most 20 samples, unless you choose other numbers. The kinds are those of Hendrycks and Dietterich "
            "2019. The implementations and severities are our own, so the numbers cannot be compared with published "
            "ones. For example, frost is drawn, not photographed, and JPEG is only its quantisation of 8 × 8 blocks.",
        .cost              = Cost::slow,
        .with_results      = false,
        .coarse_while_live = true,
        .why_not           = why_not_corruptions,
        .make              = make_corruptions,
        .compare           = compare_corruptions};
}

}   // namespace credence
