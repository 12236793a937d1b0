// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "network/architecture.h"
#include "prediction/recalibration.h"
#include "sources/data_files.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/names.h"
#include "study/source.h"
#include "study/study.h"

#include <algorithm>
#include <cmath>

// Rules that involve several settings. Rules for a single setting are in its Field.
namespace credence {
namespace {

void require_prior(const Study& study)
{
    const Method& method = method_of(study);
    if (!method.under_prior())
        return;
    if (study.prior.kind == PriorKind::scale_mixture) {
        if (method.has_kl() && study.training.complexity != Complexity::Kind::sampled)
            throw Error(
                "training.complexity",
                "training.complexity is closed, but the KL to a scale mixture prior has no closed form; expected "
                "sampled, or prior.kind gaussian.");
        if (!(study.prior.mixture.sigma_narrow < study.prior.mixture.sigma_wide))
            throw Error("prior.sigma_narrow", "prior.sigma_narrow is " + value_text(study.prior.mixture.sigma_narrow)
                                                  + ", expected less than prior.sigma_wide, which is "
                                                  + value_text(study.prior.mixture.sigma_wide) + ".");
        return;
    }
    const auto require_numbers = [](const char* path, const std::vector<double>& list) {
        if (list.empty())
            throw Error(path, std::string(path) + " is empty, expected at least one number.");
    };
    require_numbers("prior.weight_mean", study.prior.weight_mean);
    require_numbers("prior.weight_sd", study.prior.weight_sd);
    require_numbers("prior.bias_mean", study.prior.bias_mean);
    require_numbers("prior.bias_sd", study.prior.bias_sd);
}

/// Number of layers with weights, including the last one, for any image size.
std::size_t weight_layers(const NetworkSpec& network)
{
    constexpr ImageShape image{1, 28, 28};
    switch (network.kind) {
    case NetworkKind::mlp: return network.hidden.size() + 1;
    case NetworkKind::lenet5: return weights_of_layers(lenet5(image, 2)).size();
    case NetworkKind::lenet_caffe: return weights_of_layers(lenet_caffe(image, 1, 2)).size();
    case NetworkKind::signs_lenet: return weights_of_layers(signs_lenet(image, 2)).size();
    case NetworkKind::bridge_cnn: return weights_of_layers(bridge_cnn(image, 2)).size();
    case NetworkKind::cifar10_full: return weights_of_layers(cifar10_full(image, 2)).size();
    case NetworkKind::resnet: return weights_of_layers(resnet(image, network.blocks, 2)).size();
    case NetworkKind::layers: break;
    }
    const std::vector<Layer> written = layers_from_text(network.layers);
    return 1 + static_cast<std::size_t>(std::count_if(written.begin(), written.end(), has_weights));
}

void require_network(const Study& study)
{
    const NetworkSpec& network = study.network;
    if (network.kind == NetworkKind::mlp && network.hidden.size() > 50)
        throw Error("network.hidden",
                    "network.hidden has " + std::to_string(network.hidden.size()) + " layers, expected at most 50.");
    if (network.kind == NetworkKind::layers)
        layers_from_text(network.layers);
    else if (network.kind != NetworkKind::mlp && !is_images(study.data.source))
        throw Error("network.kind", "network.kind is " + value_text(field("network.kind").get(study))
                                        + ", a network for images, but data.source is "
                                        + value_text(field("data.source").get(study))
                                        + ": expected mlp or layers, or images.");
}

void require_block_lists(const Study& study)
{
    const std::size_t blocks = 2 * weight_layers(study.network);
    const auto require       = [&](const std::string& path, const std::vector<double>& list) {
        if (list.empty() || list.size() > blocks)
            throw Error(path, path + " has " + std::to_string(list.size()) + " numbers, expected 1 to "
                                        + std::to_string(blocks)
                                        + ": one for the weights and one for the biases of each layer.");
    };
    for (const auto& path : method_of(study).block_lists)
        require(path, std::get<std::vector<double>>(field(path).get(study)));
}

void require_layer_lists(const Study& study)
{
    const std::size_t layers = weight_layers(study.network), found = study.training.layer_l2.size();
    if (found > layers)
        throw Error("training.layer_l2", "training.layer_l2 has " + std::to_string(found)
                                             + " numbers, expected at most " + std::to_string(layers)
                                             + ": one for each layer.");
    const auto& sd = study.network.initial_sd;
    if (study.network.initialisation == Initialisation::gaussian && (sd.empty() || sd.size() > layers))
        throw Error("network.initial_sd", "network.initial_sd has " + std::to_string(sd.size())
                                              + " numbers, expected 1 to " + std::to_string(layers)
                                              + ": one for each layer.");
}

void require_changes(const Study& study)
{
    const auto refuse = [](const std::string& rest) { throw Error("data.changes", "data.changes " + rest); };
    if (study.data.changes.empty())
        return;
    if (study.data.source != DataSource::toy && study.data.source != DataSource::drawn)
        refuse("is not empty, but data.source is " + study.data.source
               + "; expected toy or drawn, whose points can change during training.");
    if (!method_of(study).training.accepts_new_points)
        refuse("is not empty, but " + method_of(study).title
               + " cannot continue with other points; expected no changes, or a method with a single training run.");
    long before = 0;
    for (const PointsChange& change : study.data.changes) {
        if (change.step < before || change.step >= study.training.steps)
            refuse("has a change at step " + grouped_text(change.step) + ", expected steps from " + grouped_text(before)
                   + " to below training.steps, which is " + grouped_text(study.training.steps)
                   + ", in ascending order.");
        before                = change.step;
        constexpr double most = 1e9;   // squares and their sums stay within a float
        for (const auto* points : {&change.added, &change.erased})
            for (const DrawnPoint& point : *points)
                if (!(std::fabs(point.x) <= most && std::fabs(point.y) <= most))
                    refuse("has the coordinate " + shortest_text(std::fabs(point.x) <= most ? point.y : point.x)
                           + ", expected numbers from -1e9 to 1e9.");
    }
}

/// Returns true if rows are set aside for calibration; a column that marks rows can mark some.
bool sets_rows_aside(const Study& study)
{
    if (is_images(study.data.source))
        return study.data.images.validation_images > 0;
    return study.split.calibration_fraction > 0 || study.split.kind == SplitKind::column;
}

void require_conformal(const Study& study)
{
    const auto score = study.prediction.conformal.score;
    if (score == ConformalScore::none)
        return;
    const std::string found = "prediction.conformal is " + value_text(field("prediction.conformal").get(study));
    if (const auto& task_of = source_of(study.data).task)
        if (const auto task = task_of(study.data); task && (*task == Task::classification) != is_of_classes(score))
            throw Error("prediction.conformal",
                        found
                            + (is_of_classes(score) ? ", which needs classes; expected absolute, normalised or cqr."
                                                    : ", which needs a numeric target; expected thr, aps or raps."));
    if (!sets_rows_aside(study))
        throw Error("prediction.conformal",
                    found + ", but no rows are set aside for calibration; expected "
                        + (is_images(study.data.source) ? "data.validation_images" : "split.calibration_fraction")
                        + " above 0.");
    const auto by = study.prediction.conformal_by;
    if (by == ConformalBy::class_ && !is_of_classes(score))
        throw Error("prediction.conformal_by",
                    "prediction.conformal_by is class, but the target is numeric; expected all or column.");
    if (by == ConformalBy::column && is_images(study.data.source))
        throw Error("prediction.conformal_by",
                    "prediction.conformal_by is column, but the data are images; expected all or class.");
    if (by == ConformalBy::column && study.prediction.conformal_column.empty())
        throw Error("prediction.conformal_column",
                    "prediction.conformal_column is empty, expected the name of an input column.");
}

/// Checks recalibration, which needs rows that are neither trained on nor scored.
void require_recalibration(const Study& study)
{
    const RecalibrationKind kind = study.prediction.recalibration;
    if (kind == RecalibrationKind::none)
        return;
    const auto refuse = [&](const std::string& rest) {
        throw Error("prediction.recalibration",
                    "prediction.recalibration is " + std::string(name_of(kind)) + ", but " + rest);
    };
    if (const auto task = stated_task(study.data))
        require_recalibration_of(kind, *task);
    if (is_images(study.data.source) && study.data.images.validation_images == 0)
        refuse("data.validation_images is 0; expected at least 1, since it is fitted on the validation images.");
    if (!is_images(study.data.source) && !sets_rows_aside(study))
        refuse("split.calibration_fraction is 0; expected a share above 0, for example 0.2, since it is fitted on "
               "rows that are set aside.");
}

void require_split(const Study& study)
{
    const SplitOptions& split = study.split;
    if (is_images(study.data.source))
        return;
    const std::string kind = "split.kind is " + value_text(field("split.kind").get(study));
    if (split.kind == SplitKind::column || split.kind == SplitKind::groups) {
        if (study.data.source != DataSource::csv)
            throw Error("split.kind", kind + ", but data.source is " + study.data.source
                                          + "; expected a table in a file, which has columns.");
        if (split.column.empty())
            throw Error("split.column",
                        kind + ", but split.column is empty; expected the name of a column of the table.");
    }
    const bool in_time = split.kind == SplitKind::time;
    if ((in_time || split.kind == SplitKind::folds) && !split.column.empty() && study.data.source != DataSource::csv)
        throw Error("split.column", "split.column is " + split.column + ", but data.source is " + study.data.source
                                        + "; expected no column, which means "
                                        + (in_time ? "the order of the rows." : "independent rows."));
    if (split.kind == SplitKind::folds && split.fold > split.folds)
        throw Error("split.fold", "split.fold is " + std::to_string(split.fold) + ", expected a number from 1 to "
                                      + std::to_string(split.folds) + ", the number of folds.");
    if (split.kind == SplitKind::file && split.test_rows.empty())
        throw Error("split.test_rows", kind
                                           + ", but split.test_rows is empty; expected the path of a file with row "
                                             "numbers.");
}

}   // namespace

void require_recalibration_of(RecalibrationKind kind, Task task)
{
    const bool classes = task == Task::classification;
    if (kind == RecalibrationKind::none || classes != is_of_numbers(kind))
        return;
    throw Error("prediction.recalibration",
                "prediction.recalibration is " + std::string(name_of(kind))
                    + (classes ? ", but the target is a class; expected none, temperature or "
                                 "vector."
                               : ", but the target is a number; expected none, sigma or cdf."));
}

void check_prediction(const Study& study)
{
    require_conformal(study);
    require_recalibration(study);
}

void require_data_files(const Study& study)
{
    if (const auto& require = source_of(study.data).require_files)
        require(study.data);
    if (!is_images(study.data.source) && study.split.kind == SplitKind::file)
        require_data_file("split.test_rows", study.split.test_rows,
                          "Copy the file of row numbers there, or set split.test_rows to its path.");
}

void check(const Study& study)
{
    constexpr std::size_t longest_name = 1000, longest_note = 20'000;   // bytes; written into every file of a run
    const auto limit = [](const char* field, const std::string& text, std::size_t most) {
        if (text.size() > most)
            throw Error(field, std::string(field) + " has " + std::to_string(text.size()) + " bytes, expected at most "
                                   + std::to_string(most) + ".");
    };
    limit("name", study.name, longest_name);
    limit("note", study.note, longest_note);
    for (const auto& f : study_fields()) {
        Study copy;   // a setter checks its own range
        f.set(copy, f.get(study));
    }
    if (const auto& rules = source_of(study.data).check)
        rules(study.data);
    require_split(study);
    require_changes(study);
    require_network(study);
    require_prior(study);
    require_block_lists(study);
    require_layer_lists(study);
    check_prediction(study);
}

}   // namespace credence
