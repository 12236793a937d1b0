// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shared_setting.h"

#include "charts/number_text.h"
#include "network/layer_text.h"
#include "runs/pruned_moment.h"
#include "study/method.h"
#include "study/settings_table.h"
#include "views/view_support.h"

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
    if (!tests)
        return std::to_string(data.training.n_rows) + " training and " + std::to_string(data.test.n_rows) + " test"
               + rows;
    return std::to_string(data.training.n_rows) + " training, " + std::to_string(data.test.n_rows) + " validation and "
           + std::to_string(tests->data->n_rows) + " test" + rows;
}

std::string shared_setting(const RunSnapshot& moment)
{
    const auto& experiment = *moment.experiment;
    const auto& study      = experiment.study;
    const auto& data       = *experiment.data;
    if (experiment.outputs) {
        const auto& outputs = *experiment.outputs;
        return "Imported predictions: " + outputs.own.name + " (" + outputs.numbers + " of "
               + std::to_string(outputs.own.n) + " rows, " + std::to_string(data.training.n_classes()) + " classes)"
               + (outputs.other.n > 0
                      ? ", foreign: " + outputs.other.name + " (" + std::to_string(outputs.other.n) + " rows)"
                      : "");
    }
    std::string out = "Data: " + data.training.name + " (" + rows_of_parts(experiment)
                      + (study.data.changes.empty() ? "" : ", changed during training")
                      + "). Network: " + layers_of(study, experiment.model.architecture)
                      + ". Posterior: " + choice_title(study, "posterior.family");
    if (const Method& method = method_of(study); method.caption)
        out += method.caption(moment);
    else if (method.under_prior())
        out += prior_words(study);
    if (const auto* rule = pruning_of(moment))
        out += ". Pruned: " + words_of(*rule);
    if (!method_of(study).sees_all_rows)
        out += (method_of(study).has_own_steps ? ". Learning rate"
                                               : ". Training: " + choice_title(study, "training.optimizer") + ",")
               + std::string(" η = ") + number_text(study.training.schedule.learning_rate, 4);
    if (const std::string unusual = unusual_settings(study); !unusual.empty())
        out += ". Not default: " + unusual;
    return out + ". Seed " + std::to_string(study.seed);
}

}   // namespace credence
