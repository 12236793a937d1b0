// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"
#include "views/page_images.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "charts/shared_captions.h"
#include "figures/ood_figure.h"
#include "foundation/error.h"
#include "runs/other_data.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_out_of_distribution(const Experiment& experiment)
{
    if (experiment.outputs && experiment.outputs->other.n == 0)
        return experiment.outputs->own.name + " has no OOD predictions. Open a second file as OOD data.";
    if (experiment.task() == Task::classification)
        return {};
    return "OOD uncertainty is measured with class probabilities, but this study predicts a numeric target. See how "
           "the regression band widens away from the data.";
}

std::optional<Chart> make_out_of_distribution(const RunSnapshot& moment, const ViewOptions& options,
                                              const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto own         = scored_predictions(moment, options, stop);
    const auto foreign     = own ? foreign_predictions(moment, options, stop) : nullptr;
    if (!foreign)
        return {};
    if (own->rows.empty() || foreign->rows.empty())
        throw Error("There are no inputs to compare. The study needs test inputs and other data that are not empty.");
    const auto other = other_data(moment.experiment);
    auto figure = ood_figure(own->set.classes, foreign->set.classes, experiment.data->training.name + ", " + own->name,
                             foreign->name);
    if (has_images(experiment)) {
        constexpr std::size_t shown = 5;
        figure.class_names          = experiment.data->training.class_names;
        figure.surest_foreign       = {
                  .title = "OOD images, most confident first", .measure = "p̄", .value = &PageImage::confidence, .images = {}};
        for (const auto i : highest(foreign->rows.size(), shown, any_row,
                                    [&](std::size_t k) { return foreign->set.classes.confidence[k]; }))
            figure.surest_foreign.images.push_back(
                page_image(*foreign, i, picture_at(experiment, other->inputs, foreign->rows[i])));
        figure.most_doubtful_own = {.title   = "In-distribution images, least confident first",
                                    .measure = "p̄",
                                    .value   = &PageImage::confidence,
                                    .images  = {}};
        const auto inputs        = scored_set(experiment).inputs;
        for (const auto i :
             highest(own->rows.size(), shown, any_row, [&](std::size_t k) { return -own->set.classes.confidence[k]; }))
            figure.most_doubtful_own.images.push_back(
                page_image(*own, i, picture_at(experiment, inputs, own->rows[i])));
    }
    Chart chart = to_chart(figure);
    if (!other->note.empty())
        chart.caption += " The OOD inputs are " + other->note + ".";
    return with_setting(std::move(chart), moment, own->set.n_samples);
}

/// The uncertainty of several runs about one set of OOD inputs: the functional-BNN submission, Fig.
/// 2.
std::optional<Chart> overlay_doubts(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                    const std::stop_token& stop)
{
    const auto names = names_of(runs);
    std::vector<OodFigure> figures;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& run    = runs[i];
        auto why           = why_not_out_of_distribution(*run.experiment);
        const auto own     = why ? nullptr : scored_predictions(run, options, stop);
        const auto foreign = own ? foreign_predictions(run, options, stop) : nullptr;
        if (!why && !foreign)
            return {};
        auto figure = why ? OodFigure()
                          : ood_figure(own->set.classes, foreign->set.classes,
                                       run.experiment->data->training.name + ", " + own->name, foreign->name);
        if (!why && !figures.empty()
            && (figure.in_name != figures.front().in_name || figure.out_name != figures.front().out_name))
            why = "It was evaluated on " + figure.in_name + " and " + figure.out_name + ", the first run on "
                  + figures.front().in_name + " and " + figures.front().out_name + ".";
        if (why) {
            Chart refused   = overlay_of_doubts({}, {});
            refused.message = "Run \"" + names[i] + "\" does not fit. " + *why;
            return refused;
        }
        figures.push_back(std::move(figure));
    }
    Chart chart = overlay_of_doubts(figures, names);
    std::vector<std::string> settings;
    for (const auto& run : runs)
        settings.push_back(setting_of(run, predictive_of(run, options).n_samples()));
    chart.caption += settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

View out_of_distribution_view()
{
    return {
        .id    = "out_of_distribution",
        .title = "Out of distribution",
        .help  = "Does the network know what it does not know? Its uncertainty about the test set compared with its "
                 "uncertainty about out-of-distribution (OOD) inputs (prediction.other_data; for tables: points outside "
                 "the data). MMC is the mean of max p̄. The predictive entropy H(p̄) of OOD inputs should be high, up to "
                 "ln K. AUROC = P(an OOD input is more uncertain) + ½ P(equal), by confidence, entropy and mutual "
                 "information: 1 separates them completely, ½ is chance. Below: the OOD images with the highest "
                 "confidence and the in-distribution images with the lowest. Several runs at once: the distribution "
                 "functions of their uncertainty in one panel. Source: Hobbhahn 2020, Table 5.1.",
        .asks  = Asks::outputs,
        .cost  = Cost::all_rows,
        .table_in_results = true,
        .why_not          = why_not_out_of_distribution,
        .make             = make_out_of_distribution,
        .compare          = overlay_doubts};
}

}   // namespace credence
