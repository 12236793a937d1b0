// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "charts/shared_captions.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "runs/other_data.h"
#include "views/image_rows.h"
#include "views/page_images.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr int n_bins = 30, n_steps = 300;
constexpr int per_row = 5;   // images per row in half the width

/// Heights are shares of the inputs, so that sets of different sizes can be compared.
Bars shares(const Histogram& histogram, const std::string& name, Tone tone)
{
    Bars bars{.name = name, .width = histogram.width, .tone = tone, .opacity = 0.5};
    for (std::size_t b = 0; b < histogram.counts.size(); ++b) {
        bars.position.push_back(histogram.centre(b));
        bars.height.push_back(
            histogram.total ? static_cast<double>(histogram.counts[b]) / static_cast<double>(histogram.total) : 0);
    }
    return bars;
}

std::optional<std::string> why_not_out_of_distribution(const Experiment& experiment)
{
    if (experiment.outputs && experiment.outputs->other.n == 0)
        return experiment.outputs->own.name + " has no OOD predictions. Open a second file as OOD data.";
    if (experiment.task() == Task::classification)
        return {};
    return "OOD uncertainty is measured with class probabilities, but this Study predicts a numeric target. See how "
           "the regression band widens away from the data.";
}

std::optional<Chart> make_out_of_distribution(const RunSnapshot& snapshot, const ViewOptions& options,
                                              const std::stop_token& stop)
{
    const auto& experiment = *snapshot.experiment;
    const auto own         = scored_predictions(snapshot, options, stop);
    const auto ood         = own ? ood_predictions(snapshot, options, stop) : nullptr;
    if (!ood)
        return {};
    if (own->rows.empty() || ood->rows.empty())
        throw Error("There are no inputs to compare. The Study needs test inputs and other data that are not empty.");
    const auto other = other_data(snapshot.experiment);
    auto figure      = ood_figure(own->set.classes, ood->set.classes, experiment.data->training.name + ", " + own->name,
                                  ood->name);
    if (has_images(experiment)) {
        constexpr std::size_t shown = 5;
        figure.class_names          = experiment.data->training.class_names;
        figure.surest_ood.title     = "OOD images, most confident first";
        figure.surest_ood.measure   = "p̄";
        figure.surest_ood.value     = &PageImage::confidence;
        for (const auto i :
             highest(ood->rows.size(), shown, any_row, [&](std::size_t k) { return ood->set.classes.confidence[k]; }))
            figure.surest_ood.images.push_back(
                page_image(*ood, i, picture_at(experiment, other->inputs, ood->rows[i])));
        figure.least_confident_own = {.title   = "In-distribution images, least confident first",
                                      .measure = "p̄",
                                      .value   = &PageImage::confidence,
                                      .images  = {}};
        const auto inputs          = scored_set(experiment).inputs;
        for (const auto i :
             highest(own->rows.size(), shown, any_row, [&](std::size_t k) { return -own->set.classes.confidence[k]; }))
            figure.least_confident_own.images.push_back(
                page_image(*own, i, picture_at(experiment, inputs, own->rows[i])));
    }
    Chart chart = to_chart(figure);
    if (!other->note.empty())
        chart.caption += " The OOD inputs are " + other->note + ".";
    return with_setting(std::move(chart), snapshot, own->set.n_samples);
}

/// The uncertainty of several runs about one set of OOD inputs: the functional-BNN submission, Fig.
/// 2.
std::optional<Chart> overlay_uncertainties(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           const std::stop_token& stop)
{
    const auto names = names_of(runs);
    std::vector<OodFigure> figures;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& run = runs[i];
        auto why        = why_not_out_of_distribution(*run.experiment);
        const auto own  = why ? nullptr : scored_predictions(run, options, stop);
        const auto ood  = own ? ood_predictions(run, options, stop) : nullptr;
        if (!why && !ood)
            return {};
        auto figure = why ? OodFigure()
                          : ood_figure(own->set.classes, ood->set.classes,
                                       run.experiment->data->training.name + ", " + own->name, ood->name);
        if (!why && !figures.empty()
            && (figure.in_name != figures.front().in_name || figure.out_name != figures.front().out_name))
            why = "It was evaluated on " + figure.in_name + " and " + figure.out_name + ", the first run on "
                  + figures.front().in_name + " and " + figures.front().out_name + ".";
        if (why) {
            Chart refused   = overlay_of_uncertainties({}, {});
            refused.message = "Run \"" + names[i] + "\" cannot be compared. " + *why;
            return refused;
        }
        figures.push_back(std::move(figure));
    }
    Chart chart = overlay_of_uncertainties(figures, names);
    std::vector<std::string> settings;
    for (const auto& run : runs)
        settings.push_back(setting_of(run, predictive_of(run, options).n_samples()));
    chart.caption += settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

OodFigure ood_figure(const ClassPredictions& in, const ClassPredictions& out, std::string in_name, std::string out_name)
{
    OodFigure figure;
    figure.numbers    = out_of_distribution(in, out);
    figure.in_name    = std::move(in_name);
    figure.out_name   = std::move(out_name);
    const double top  = std::log(static_cast<double>(in.n_classes));
    const auto within = [top](std::vector<double> entropies) {   // by rounding ln K can slightly exceed ln K
        for (double& h : entropies)
            h = std::clamp(h, 0.0, top);
        return entropies;
    };
    const Histogram bins{0, top / n_bins, std::vector<long>(n_bins, 0), 0};
    const auto in_entropy = within(in.entropy), out_entropy = within(out.entropy);
    figure.in_entropy  = histogram_like(bins, in_entropy);
    figure.out_entropy = histogram_like(bins, out_entropy);
    for (int i = 0; i <= n_steps; ++i)
        figure.at.push_back(top * i / n_steps);
    figure.in_cdf  = ecdf(in_entropy, figure.at);
    figure.out_cdf = ecdf(out_entropy, figure.at);
    return figure;
}

OodFigure mean_of_uncertainties(std::span<const OodFigure> figures)
{
    OodFigure out = figures.front();
    const auto n  = static_cast<double>(figures.size());
    constexpr std::array measures{&OutOfDistribution::mmc_in,
                                  &OutOfDistribution::mmc_out,
                                  &OutOfDistribution::mean_entropy_in,
                                  &OutOfDistribution::mean_entropy_out,
                                  &OutOfDistribution::mean_information_in,
                                  &OutOfDistribution::mean_information_out,
                                  &OutOfDistribution::auroc_confidence,
                                  &OutOfDistribution::auroc_entropy,
                                  &OutOfDistribution::auroc_information};
    for (const auto measure : measures) {
        double sum = 0;
        for (const auto& figure : figures)
            sum += figure.numbers.*measure;
        out.numbers.*measure = sum / n;
    }
    for (auto curve : {&OodFigure::in_cdf, &OodFigure::out_cdf})
        for (std::size_t i = 0; i < (out.*curve).size(); ++i) {
            double sum = 0;
            for (const auto& figure : figures)
                sum += (figure.*curve).at(i);
            (out.*curve)[i] = sum / n;
        }
    out.surest_ood          = {};
    out.least_confident_own = {};
    return out;
}

Chart to_chart(const OodFigure& value)
{
    const auto& n = value.numbers;
    Chart chart{.id = "out_of_distribution", .title = "Out of distribution", .columns = 2};
    const Range scale{0, value.at.back()};
    const Tone own = category(0), ood = category(1);
    Panel histogram{.title = "Predictive entropy",
                    .x     = {.label = "Predictive entropy", .unit = "nats", .range = scale},
                    .y     = {.label = "Share of inputs"}};
    histogram.series.push_back(shares(value.in_entropy, value.in_name, own));
    histogram.series.push_back(shares(value.out_entropy, value.out_name, ood));
    Panel cdf{.title = "Cumulative share",
              .note  = "AUROC " + fixed_text(n.auroc_entropy, 4),
              .x     = {.label = "Predictive entropy", .unit = "nats", .range = scale},
              .y     = {.label = "Cumulative share", .range = Range{0, 1}}};
    cdf.series.push_back(Line{.name = value.in_name, .x = value.at, .y = value.in_cdf, .tone = own, .width = 2});
    cdf.series.push_back(Line{.name  = value.out_name,
                              .x     = value.at,
                              .y     = value.out_cdf,
                              .tone  = ood,
                              .style = LineStyle::dashed,
                              .width = 2});
    chart.panels = {std::move(histogram), std::move(cdf)};
    for (const auto* row : {&value.surest_ood, &value.least_confident_own})
        if (!row->images.empty()) {
            chart.panels.push_back(image_row_panel(*row, value.class_names, per_row));
            chart.panels.back().weight = 0.75;
        }
    Table table{.columns = {{"Measure"}, {value.in_name, "", 4}, {value.out_name, "", 4}, {"AUROC", "", 4}},
                .rows    = {}};
    const auto add = [&](const std::string& measure, double in, double out, double auroc) {
        table.rows.push_back({measure, in, out, auroc});
    };
    add("Mean confidence (MMC)", n.mmc_in, n.mmc_out, n.auroc_confidence);
    add("Mean predictive entropy, nats", n.mean_entropy_in, n.mean_entropy_out, n.auroc_entropy);
    add("Mean epistemic part, nats", n.mean_information_in, n.mean_information_out, n.auroc_information);
    chart.table = std::move(table);
    chart.caption =
        "Uncertainty about " + std::to_string(n.n_in) + " inputs of " + value.in_name + " and about "
        + std::to_string(n.n_out) + " out-of-distribution (OOD) inputs, " + value.out_name
        + ": shares by predictive entropy, and the distribution functions. AUROC: how often an OOD input is more "
          "uncertain than an in-distribution input (½ is chance).";
    if (!value.surest_ood.images.empty())
        chart.caption += " Images: the OOD images with the highest confidence, and the in-distribution images with "
                         "the lowest.";
    return chart;
}

Chart overlay_of_uncertainties(std::span<const OodFigure> figures, std::span<const std::string> names)
{
    Chart chart{.id = "overlay_out_of_distribution", .title = "Uncertainty of several networks", .columns = 2};
    if (figures.empty()) {
        chart.message = "No run is selected. Tick the runs to overlay.";
        return chart;
    }
    const auto& first = figures.front();
    Panel ood{.title = "Foreign: " + first.out_name,
              .x     = {.label = "Predictive entropy", .unit = "nats", .range = Range{0, first.at.back()}},
              .y     = {.label = "Cumulative share", .range = Range{0, 1}}};
    Panel own                     = ood;
    own.title                     = "Own: " + first.in_name;
    constexpr std::size_t colours = 8;   // then the same ones again, dashed
    constexpr std::array styles{LineStyle::solid, LineStyle::dashed, LineStyle::dotted};
    Table table{.columns = {{"Net"},
                            {"MMC, own", "", 4},
                            {"MMC, OOD", "", 4},
                            {"H(p̄), own", "nats", 4},
                            {"H(p̄), OOD", "nats", 4},
                            {"AUROC by H", "", 4}}};
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto& each = figures[i];
        const auto style = styles[i / colours % styles.size()];
        const Tone tone  = category(static_cast<int>(i));
        ood.series.push_back(
            Line{.name = names[i], .x = each.at, .y = each.out_cdf, .tone = tone, .style = style, .width = 2});
        own.series.push_back(
            Line{.name = names[i], .x = each.at, .y = each.in_cdf, .tone = tone, .style = style, .width = 2});
        const auto& n = each.numbers;
        table.rows.push_back({names[i], n.mmc_in, n.mmc_out, n.mean_entropy_in, n.mean_entropy_out, n.auroc_entropy});
    }
    chart.panels  = {std::move(ood), std::move(own)};
    chart.table   = std::move(table);
    chart.caption = "Distribution functions of the predictive entropy over " + std::to_string(first.numbers.n_out)
                    + " out-of-distribution (OOD) inputs, " + first.out_name + ", and over "
                    + std::to_string(first.numbers.n_in) + " inputs of " + first.in_name
                    + ". A lower OOD curve means more uncertainty; the in-distribution curve should rise at once.";
    return chart;
}

View out_of_distribution_view()
{
    return {
        .id    = "out_of_distribution",
        .title = "Out of distribution",
        .group = ViewGroup::uncertainty,
        .help =
            "Uncertainty about the test set compared with that about out-of-distribution (OOD) inputs. These are "
            "prediction.other_data, or points outside the data for tables. MMC is the mean of max p̄. The predictive "
            "entropy H(p̄) of OOD inputs should be high, up to ln K. AUROC = P(an OOD input is more uncertain) + ½ "
            "P(equal), by confidence, entropy and mutual information: 1 separates them completely, ½ is chance. Below: "
            "the OOD images with the highest confidence and the in-distribution images with the lowest. Several runs "
            "at once: the distribution functions of their uncertainty in one panel. Source: Hobbhahn 2020, Table 5.1.",
        .asks             = Asks::outputs,
        .cost             = Cost::all_rows,
        .table_in_results = true,
        .why_not          = why_not_out_of_distribution,
        .make             = make_out_of_distribution,
        .compare          = overlay_uncertainties};
}

}   // namespace credence
