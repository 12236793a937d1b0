// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "views/image_rows.h"
#include "views/shared_setting.h"

#include "charts/number_text.h"
#include "foundation/error.h"
#include "network/layer_text.h"
#include "prediction/logit_draws.h"
#include "study/method.h"
#include "study/names.h"
#include "study/settings_table.h"

#include <algorithm>
#include <cmath>

namespace credence::view_support {

std::vector<float> standardised(const Experiment& experiment, std::span<const double> inputs)
{
    const auto z = experiment.data->inputs.standardised(inputs);
    return {z.begin(), z.end()};
}

std::vector<float> picture_values(const Experiment& experiment, std::span<const float> input)
{
    if (!experiment.outputs) {
        std::vector<float> values(input.begin(), input.end());
        experiment.data->inputs.undo(values);
        return values;
    }
    const auto image = experiment.outputs->image(static_cast<std::size_t>(input.front()));
    std::vector<float> values(image.begin(), image.end());
    values.resize(static_cast<std::size_t>(experiment.data->image->size()));   // black if the row has none
    return values;
}

void share_height(std::vector<Panel>& panels)
{
    if (panels.empty()
        || !std::all_of(panels.begin(), panels.end(), [](const Panel& panel) { return panel.y.range.has_value(); }))
        return;
    Range height = *panels.front().y.range;
    for (const auto& panel : panels)
        height = {std::min(height.first, panel.y.range->first), std::max(height.second, panel.y.range->second)};
    for (auto& panel : panels)
        panel.y.range = height;
}

std::optional<ScoredSet> final_test_set(const Experiment& experiment)
{
    const auto& data = *experiment.data;
    if (data.final_test.n_rows == 0)
        return {};
    return ScoredSet{&data.final_test, data.final_test_inputs, "test set"};
}

ScoredSet scored_set(const Experiment& experiment)
{
    const auto& data = *experiment.data;
    if (data.test.n_rows > 0)
        return {&data.test, data.test_inputs, data.test_name};
    return {&data.training, data.training_inputs, "training set (there is no test set)"};
}

/// Returns true if this input of imported predictions is a row number of the OOD file.
static bool is_foreign_row(const OutputsAtHand& outputs, std::span<const double> input)
{
    if (input.size() != 1 || input.front() != std::floor(input.front()))
        return false;
    const double first = static_cast<double>(outputs.own.n);
    return input.front() >= first && input.front() < first + static_cast<double>(outputs.other.n);
}

ChosenInput chosen_input(const RunSnapshot& moment, const ViewOptions& options)
{
    const auto& experiment = *moment.experiment;
    const std::size_t d    = experiment.data->training.n_features;
    ChosenInput out;
    if (!options.input.empty()) {
        const bool foreign_row = experiment.outputs && is_foreign_row(*experiment.outputs, options.input);
        if (experiment.outputs && !foreign_row)
            throw Error("Imported predictions have one input per row of " + experiment.outputs->own.name
                        + ": other inputs cannot be predicted.");
        if (options.input.size() != d)
            throw Error("The selected input has " + std::to_string(options.input.size()) + " numbers, expected "
                        + std::to_string(d) + ".");
        if (!options.input_name.empty())
            out.name = options.input_name;
        else if (foreign_row)
            out.name = experiment.outputs->other.name + ", row "
                       + number_text(options.input.front() - static_cast<double>(experiment.outputs->own.n), 9);
        else if (experiment.data->image)
            out.name = "your own image";
        else {
            for (const double x : options.input)
                out.name.append(out.name.empty() ? "(" : ", ").append(number_text(x, 4));
            out.name += ")";
        }
        if (options.input_label && *options.input_label >= 0
            && static_cast<std::size_t>(*options.input_label) < experiment.data->training.n_classes())
            out.label = options.input_label;
        out.standardised = standardised(experiment, options.input);
        for (std::size_t i = 0; i < d; ++i)
            if (!std::isfinite(out.standardised[i]))
                throw Error("Number " + std::to_string(i + 1) + " of the selected input is "
                            + plain_text(options.input[i]) + ", expected a finite number near those of the data.");
        return out;
    }
    const auto set   = scored_set(experiment);
    const bool tests = set.data == &experiment.data->test;
    if (options.row >= set.data->n_rows)
        throw Error("Row " + std::to_string(options.row) + " was asked for, the " + (tests ? "test" : "training")
                    + " set has rows 0 to " + std::to_string(set.data->n_rows - 1) + ".");
    const std::string part = experiment.outputs                  ? experiment.outputs->own.name + ","
                             : !tests                            ? "training"
                             : has_validation_images(experiment) ? "validation"
                                                                 : "test";
    out.name               = part + (experiment.data->image ? " image " : " row ") + std::to_string(options.row);
    const auto first       = set.inputs.begin() + static_cast<std::ptrdiff_t>(options.row * d);
    out.standardised.assign(first, first + static_cast<std::ptrdiff_t>(d));
    if (experiment.task() == Task::classification) {
        if (!set.data->labels.empty())   // imported predictions can lack labels
            out.label = set.data->labels[options.row];
    } else
        out.target = set.data->targets[options.row];
    return out;
}

static PosteriorPredictive predictive_of(const Model& model, const RunSnapshot& moment, const ViewOptions& options,
                                         DrawsOf of = DrawsOf::weights)
{
    const auto& study = moment.experiment->study;
    return {model, moment.snapshot->posterior, options.samples > 0 ? options.samples : study.prediction.samples,
            study.seed, of};
}

DrawsOf draws_of_chosen(const RunSnapshot& moment, const ViewOptions& options)
{
    const bool by_itself = !options.input.empty() && !options.unattacked && moment.experiment->data->image;
    return by_itself ? options.input_draws : DrawsOf::weights;
}

PosteriorPredictive predictive_of(const RunSnapshot& moment, const ViewOptions& options)
{
    return predictive_of(moment.experiment->model, moment, options);
}

std::optional<ChosenOutputs> chosen_outputs(const RunSnapshot& moment, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    ChosenOutputs out;
    out.input             = chosen_input(moment, options);
    const auto predictive = predictive_of(moment.experiment->model, moment, options, draws_of_chosen(moment, options));
    out.n_samples         = predictive.n_samples();
    out.samples           = predictive.sample_outputs(out.input.standardised, 1, stop);
    if (stop.stop_requested())
        return {};
    return out;
}

PosteriorPredictive weight_draws_of(const RunSnapshot& moment, const ViewOptions& options)
{
    return predictive_of(model_of_weight_draws(*moment.experiment), moment, options);
}

Model model_of_weight_draws(const Experiment& experiment)
{
    Model model                    = experiment.model;
    model.linearised_at_prediction = false;
    return model;
}

double added_variance(const Experiment& experiment) { return experiment.outputs ? least_variance_at_hand : 0; }

std::string setting_of(const RunSnapshot& moment, std::optional<int> n_samples)
{
    std::string out = shared_setting(moment);
    if (moment.snapshot && !moment.experiment->outputs)
        out += ", step " + std::to_string(moment.snapshot->point.step);
    if (n_samples)
        out += *n_samples == 1 ? ", 1 draw" : ", " + std::to_string(*n_samples) + " draws";
    return out + ".";
}

std::vector<std::string> names_of(std::span<const RunSnapshot> runs)
{
    std::vector<const Study*> studies;
    for (const auto& run : runs)
        studies.push_back(&run.experiment->study);
    auto names = distinct_names(studies);
    if (names.size() < 2)
        return names;
    std::string shared = names.front();   // common prefix, up to a comma or to the distinguishing bracket
    for (const auto& name : names)
        while (!name.starts_with(shared))
            shared.pop_back();
    const auto bracket = shared.rfind(" (");
    if (bracket != std::string::npos
        && std::all_of(names.begin(), names.end(), [](const auto& name) { return name.ends_with(')'); })) {
        for (auto& name : names)
            name = name.substr(bracket + 2, name.size() - bracket - 3);
        return names;
    }
    const auto comma = shared.rfind(", ");
    if (comma != std::string::npos)
        for (auto& name : names)
            name.erase(0, comma + 2);
    return names;
}

Chart with_setting(Chart chart, const RunSnapshot& moment, std::optional<int> n_samples)
{
    if (!chart.caption.empty())
        chart.caption += ' ';
    chart.caption += setting_of(moment, n_samples);
    return chart;
}

}   // namespace credence::view_support
