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
        return experiment.outputs->own.name + " has no foreign outputs beside it: open a second file as foreign data.";
    if (experiment.task() == Task::classification)
        return {};
    return "Doubt about foreign inputs is measured by classes: the data of this study have a number to predict. See how the regression band widens beside the data.";
}

std::optional<Chart> make_out_of_distribution(const RunMoment& moment, const ViewOptions& options,
                                              const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto own         = scored_predictions(moment, options, stop);
    const auto foreign     = own ? foreign_predictions(moment, options, stop) : nullptr;
    if (!foreign)
        return {};
    if (own->rows.empty() || foreign->rows.empty())
        throw Error("There are no inputs to compare: give the study test inputs, and other data that are not empty.");
    const auto other = other_data(moment.experiment);
    auto figure = ood_figure(own->set.classes, foreign->set.classes, experiment.data->training.name + ", " + own->name,
                             foreign->name);
    if (has_images(experiment)) {
        constexpr std::size_t shown = 5;
        figure.class_names          = experiment.data->training.class_names;
        figure.surest_foreign       = {
                  .title = "Foreign images, surest first", .measure = "p̄", .value = &PageImage::confidence, .images = {}};
        for (const auto i : highest(foreign->rows.size(), shown, any_row,
                                    [&](std::size_t k) { return foreign->set.classes.confidence[k]; }))
            figure.surest_foreign.images.push_back(
                page_image(*foreign, i, picture_at(experiment, other->inputs, foreign->rows[i])));
        figure.most_doubtful_own = {
            .title = "Own images, most doubtful first", .measure = "p̄", .value = &PageImage::confidence, .images = {}};
        const auto inputs = scored_set(experiment).inputs;
        for (const auto i :
             highest(own->rows.size(), shown, any_row, [&](std::size_t k) { return -own->set.classes.confidence[k]; }))
            figure.most_doubtful_own.images.push_back(
                page_image(*own, i, picture_at(experiment, inputs, own->rows[i])));
    }
    Chart chart = to_chart(figure);
    if (!other->note.empty())
        chart.caption += " The foreign inputs are " + other->note + ".";
    return with_setting(std::move(chart), moment, own->set.n_samples);
}

/// The doubts of several runs about one set of foreign inputs: the functional-BNN submission, Fig. 2.
std::optional<Chart> overlay_doubts(std::span<const RunMoment> runs, const ViewOptions& options,
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
            why = "It is asked about " + figure.in_name + " and " + figure.out_name + ", the first one about "
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
        .help =
            "Does the net know what it does not know? Its doubt about the test set beside its doubt about inputs of another kind (prediction.other_data; for tables: points beyond the "
            "data). MMC is the mean of max p̄; the predictive entropy H(p̄) of foreign inputs should be high, up to ln K. AUROC = P(a foreign input is more doubtful) + ½ P(equal), by "
            "confidence, by entropy and by mutual information: 1 tells all apart, ½ tells nothing. Below: the foreign images that the net is surest of, and its own that it doubts "
            "most. Several runs at once: the distribution functions of their doubt over one another. Source: Hobbhahn 2020, Table 5.1.",
        .asks             = Asks::outputs,
        .cost             = Cost::all_rows,
        .table_in_results = true,
        .why_not          = why_not_out_of_distribution,
        .make             = make_out_of_distribution,
        .compare          = overlay_doubts};
}

}   // namespace credence
