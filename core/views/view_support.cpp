// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "charts/chart.h"
#include "charts/pictures.h"
#include "foundation/error.h"
#include "network/architecture.h"
#include "prediction/logit_samples.h"
#include "runs/derived_runs.h"
#include "study/method.h"
#include "study/names.h"
#include "study/study_words.h"
#include "views/conformal_sets.h"
#include "views/image_rows.h"
#include "views/recalibration_fit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

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

Points training_points(std::vector<double> x, std::vector<double> y)
{
    return {.name   = "Training data",
            .x      = std::move(x),
            .y      = std::move(y),
            .tone   = {Tone::Kind::data},
            .marker = Marker::circle,
            .size   = 3.5};
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

std::optional<ScoredSet> calibration_set(const Experiment& experiment)
{
    const auto& data = *experiment.data;
    if (data.calibration.n_rows > 0)
        return ScoredSet{&data.calibration, data.calibration_inputs, "calibration rows"};
    if (data.final_test.n_rows > 0)   // then the test part is the validation set
        return ScoredSet{&data.test, data.test_inputs, data.test_name};
    return {};
}

bool halves_calibration_rows(const Experiment& experiment)
{
    return experiment.study.prediction.recalibration != RecalibrationKind::none && !why_no_conformal(experiment);
}

std::vector<CalibrationUse> calibration_halves(std::span<const std::uint32_t> groups, std::size_t n)
{
    std::vector<CalibrationUse> halves(n);
    if (groups.empty()) {
        for (std::size_t row = 0; row < n; ++row)
            halves[row] = std::popcount(row) % 2 == 0 ? CalibrationUse::recalibration : CalibrationUse::conformal;
        return halves;
    }
    require_two_groups(groups);
    std::map<std::uint32_t, std::vector<std::size_t>> rows_of;
    for (std::size_t row = 0; row < n; ++row)
        rows_of[groups[row]].push_back(row);
    std::vector<const std::vector<std::size_t>*> by_size;
    for (const auto& group : rows_of)
        by_size.push_back(&group.second);
    std::ranges::stable_sort(by_size, std::greater(), [](const auto* rows) { return rows->size(); });
    std::size_t recalibrating = 0, conformal = 0;
    for (const auto* rows : by_size) {
        const bool first = recalibrating <= conformal;
        (first ? recalibrating : conformal) += rows->size();
        for (const std::size_t row : *rows)
            halves[row] = first ? CalibrationUse::recalibration : CalibrationUse::conformal;
    }
    return halves;
}

std::vector<std::size_t> calibration_rows_for(CalibrationUse use, const Experiment& experiment, std::size_t n)
{
    std::vector<std::size_t> rows(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (!halves_calibration_rows(experiment))
        return rows;
    const auto halves = calibration_halves(experiment.data->calibration_groups, n);
    std::erase_if(rows, [&](std::size_t row) { return halves[row] != use; });
    return rows;
}

ScoredSet scored_set(const Experiment& experiment)
{
    const auto& data = *experiment.data;
    if (data.test.n_rows > 0)
        return {&data.test, data.test_inputs, data.test_name};
    return {&data.training, data.training_inputs, "training set (there is no test set)"};
}

/// Returns true if this input of imported predictions is a row number of the OOD file.
static bool is_ood_row(const ImportedOutputs& outputs, std::span<const double> input)
{
    if (input.size() != 1 || input.front() != std::floor(input.front()))
        return false;
    const double first = static_cast<double>(outputs.own.n);
    return input.front() >= first && input.front() < first + static_cast<double>(outputs.other.n);
}

ChosenInput chosen_input(const RunSnapshot& snapshot, const InputChoice& choice)
{
    const auto& experiment = *snapshot.experiment;
    const std::size_t d    = experiment.data->training.n_features;
    ChosenInput out;
    if (!choice.values.empty()) {
        const bool ood_row = experiment.outputs && is_ood_row(*experiment.outputs, choice.values);
        if (experiment.outputs && !ood_row)
            throw Error("Imported predictions have one input per row of " + experiment.outputs->own.name
                        + ": other inputs cannot be predicted.");
        if (choice.values.size() != d)
            throw Error("The selected input has " + std::to_string(choice.values.size()) + " numbers, expected "
                        + std::to_string(d) + ".");
        if (!choice.name.empty())
            out.name = choice.name;
        else if (ood_row)
            out.name = experiment.outputs->other.name + ", row "
                       + number_text(choice.values.front() - static_cast<double>(experiment.outputs->own.n), 9);
        else if (experiment.data->image)
            out.name = "your own image";
        else {
            for (const double x : choice.values)
                out.name.append(out.name.empty() ? "(" : ", ").append(number_text(x, 4));
            out.name += ")";
        }
        if (choice.label && *choice.label >= 0
            && static_cast<std::size_t>(*choice.label) < experiment.data->training.n_classes())
            out.label = choice.label;
        out.standardised = standardised(experiment, choice.values);
        for (std::size_t i = 0; i < d; ++i)
            if (!std::isfinite(out.standardised[i]))
                throw Error("Number " + std::to_string(i + 1) + " of the selected input is "
                            + plain_text(choice.values[i]) + ", expected a finite number near those of the data.");
        return out;
    }
    const auto set   = scored_set(experiment);
    const bool tests = set.data == &experiment.data->test;
    if (choice.row >= set.data->n_rows)
        throw Error("Row " + std::to_string(choice.row) + " was requested, the " + (tests ? "test" : "training")
                    + " set has rows 0 to " + std::to_string(set.data->n_rows - 1) + ".");
    const std::string part = experiment.outputs                  ? experiment.outputs->own.name + ","
                             : !tests                            ? "training"
                             : has_validation_images(experiment) ? "validation"
                                                                 : "test";
    out.name               = part + (experiment.data->image ? " image " : " row ") + std::to_string(choice.row);
    const auto first       = set.inputs.begin() + static_cast<std::ptrdiff_t>(choice.row * d);
    out.standardised.assign(first, first + static_cast<std::ptrdiff_t>(d));
    if (experiment.task() == Task::classification) {
        if (!set.data->labels.empty())   // imported predictions can lack labels
            out.label = set.data->labels[choice.row];
    } else
        out.target = set.data->targets[choice.row];
    return out;
}

static PosteriorPredictive predictive_of(const Model& model, const RunSnapshot& snapshot, const ViewOptions& options,
                                         DrawsOf of = DrawsOf::weights)
{
    const auto& study = snapshot.experiment->study;
    return {model, snapshot.snapshot->posterior, options.samples > 0 ? options.samples : study.prediction.samples,
            study.seed, of};
}

DrawsOf draws_of_chosen(const RunSnapshot& snapshot, const ViewOptions& options)
{
    const bool by_itself = !options.input.values.empty() && !options.attack.unattacked
                           && snapshot.experiment->data->image;
    return by_itself ? options.input.draws : DrawsOf::weights;
}

PosteriorPredictive predictive_of(const RunSnapshot& snapshot, const ViewOptions& options)
{
    return unrecalibrated_predictive_of(snapshot, options).recalibrated(recalibration_source(snapshot));
}

PosteriorPredictive unrecalibrated_predictive_of(const RunSnapshot& snapshot, const ViewOptions& options)
{
    return predictive_of(snapshot.experiment->model, snapshot, options);
}

std::optional<ChosenOutputs> chosen_outputs(const RunSnapshot& snapshot, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    ChosenOutputs out;
    out.input             = chosen_input(snapshot, options.input);
    const auto predictive = predictive_of(snapshot.experiment->model, snapshot, options,
                                          draws_of_chosen(snapshot, options))
                                .recalibrated(recalibration_source(snapshot));
    out.n_samples = predictive.n_samples();
    out.samples   = predictive.sample_outputs(out.input.standardised, 1, stop);
    if (stop.stop_requested())
        return {};
    return out;
}

PosteriorPredictive weight_draws_of(const RunSnapshot& snapshot, const ViewOptions& options)
{
    return predictive_of(model_of_weight_draws(*snapshot.experiment), snapshot, options);
}

Model model_of_weight_draws(const Experiment& experiment)
{
    Model model                    = experiment.model;
    model.linearised_at_prediction = false;
    return model;
}

double added_variance(const Experiment& experiment) { return experiment.outputs ? least_variance_of_imported : 0; }

std::string setting_of(const RunSnapshot& snapshot, std::optional<int> n_samples)
{
    std::string out = shared_setting(snapshot);
    if (snapshot.snapshot && !snapshot.experiment->outputs)
        out += ", step " + std::to_string(snapshot.snapshot->point.step);
    if (n_samples)
        out += *n_samples == 1 ? ", 1 sample" : ", " + std::to_string(*n_samples) + " samples";
    return out + ".";
}

/// "Mean field" for "mean field", which is the end of a longer name.
static std::string as_title(std::string name)
{
    if (!name.empty() && name.front() >= 'a' && name.front() <= 'z')
        name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name;
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
            name = as_title(name.substr(bracket + 2, name.size() - bracket - 3));
        return names;
    }
    const auto comma = shared.rfind(", ");
    if (comma != std::string::npos)
        for (auto& name : names)
            name = as_title(name.substr(comma + 2));
    return names;
}

void set_point_size(Panel& panel, double size)
{
    for (auto& series : panel.series)
        if (auto* points = std::get_if<Points>(&series))
            points->size = size;
}

Chart with_setting(Chart chart, const RunSnapshot& snapshot, std::optional<int> n_samples)
{
    if (!chart.caption.empty())
        chart.caption += ' ';
    chart.caption += setting_of(snapshot, n_samples);
    return chart;
}

std::optional<std::string> why_no_classes_to_count(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "This view needs classes, but this Study predicts a numeric target. See the scores instead.";
}

std::optional<std::string> why_no_page_of_images(const Experiment& experiment)
{
    if (has_images(experiment))
        return {};
    return "This view needs image data. Choose stroke digits or an image data set.";
}

std::optional<std::string> why_no_varying_classes(const Experiment& experiment)
{
    if (experiment.task() != Task::classification)
        return "The bridge gives class probabilities, but this Study predicts a numeric target.";
    if (method_of(experiment.study).posterior.noise == NoiseIn::nothing)
        return "Every sample gives the same class probabilities, so their distribution is a single point. Train a "
               "family other than the point estimate.";
    return {};
}

std::optional<std::string> why_no_spread(const Experiment& experiment)
{
    switch (method_of(experiment.study).posterior.noise) {
    case NoiseIn::weights: return {};
    case NoiseIn::nothing: return "The weights of a point estimate have no spread. Train another family.";
    default: return "The noise of this posterior is in the activations; its weights have no spread.";
    }
}

}   // namespace credence::view_support

namespace credence {

namespace {

/// The title of a setting's option: "Mean field (Bayes by Backprop)".
std::string choice_title(const Study& study, const std::string& path) { return shown_value(field(path), study); }

/// "784–1200–1200–10, ReLU", or the layers listed if they are not all dense.
std::string layers_of(const Study& study, const Architecture& architecture)
{
    if (study.network.kind != NetworkKind::mlp) {
        const std::string text = layers_text(architecture);
        return study.network.kind == NetworkKind::layers ? text
                                                         : choice_title(study, "network.kind") + " (" + text + ")";
    }
    std::string out = std::to_string(architecture.inputs);
    for (const auto& layer : architecture.layers)
        if (const auto* dense = std::get_if<Dense>(&layer))
            out += "–" + std::to_string(dense->units);
    return out + ", " + choice_title(study, "network.activation");
}

}   // namespace

std::string rows_of_parts(const Experiment& experiment)
{
    const auto& data       = *experiment.data;
    const auto tests       = view_support::final_test_set(experiment);
    const std::string rows = data.image ? " images" : " rows";
    if (!tests) {
        const auto aside = data.calibration.n_rows;
        return std::to_string(data.training.n_rows) + " training"
               + (aside > 0 ? ", " + std::to_string(aside) + " calibration" : "") + " and "
               + std::to_string(data.test.n_rows) + " test" + rows;
    }
    return std::to_string(data.training.n_rows) + " training, " + std::to_string(data.test.n_rows) + " validation and "
           + std::to_string(tests->data->n_rows) + " test" + rows;
}

std::string shared_setting(const RunSnapshot& snapshot)
{
    const auto& experiment = *snapshot.experiment;
    const auto& study      = experiment.study;
    const auto& data       = *experiment.data;
    if (experiment.outputs) {
        const auto& outputs = *experiment.outputs;
        return "Imported predictions: " + outputs.own.name + " (" + outputs.numbers + " of "
               + std::to_string(outputs.own.n) + " rows, " + std::to_string(data.training.n_classes()) + " classes)"
               + (outputs.other.n > 0 ? ", out of distribution: " + outputs.other.name + " ("
                                            + std::to_string(outputs.other.n) + " rows)"
                                      : "");
    }
    std::string out = "Data: " + data.training.name + " (" + rows_of_parts(experiment)
                      + (study.data.changes.empty() ? "" : ", changed during training") + ")"
                      + (experiment.target_of > 0 ? ". Target: " + data.training.target_name + ", one of "
                                                        + std::to_string(experiment.target_of)
                                                  : "")
                      + ". Network: " + layers_of(study, experiment.model.architecture)
                      + ". Posterior: " + choice_title(study, "posterior.family");
    if (const Method& method = method_of(study); method.caption)
        out += method.caption(snapshot);
    else if (method.under_prior())
        out += prior_words(study);
    if (const auto* rule = pruning_of(snapshot))
        out += ". Pruned: " + words_of(*rule);
    if (!method_of(study).training.sees_all_rows)
        out += (method_of(study).training.own_steps ? ". Learning rate"
                                                    : ". Training: " + choice_title(study, "training.optimizer") + ",")
               + std::string(" η = ") + number_text(study.training.schedule.learning_rate, 4);
    if (const std::string unusual = unusual_settings(study); !unusual.empty())
        out += ". Not default: " + unusual;
    return out + ". Seed " + std::to_string(study.seed);
}

}   // namespace credence

namespace credence::view_support {

void add_input_picture(Chart& chart, const Experiment& experiment, const ChosenInput& input)
{
    const auto& data = *experiment.data;
    const auto bytes = picture_values(experiment, input.standardised);
    add_side_picture(
        chart, picture_of(std::span<const float>(bytes), *data.image),
        input.name
            + (input.label ? "\ntrue class " + data.training.class_names[static_cast<std::size_t>(*input.label)] : ""));
}

}   // namespace credence::view_support
