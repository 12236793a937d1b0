// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/family_settings.h"

#include "study/fields.h"
#include "study/names.h"

#include <algorithm>

namespace credence {
namespace {

struct Setting {
    const char* path;
    const char* value;   ///< as typed
};

/// Paths that some family has a word on. A family that does not use a setting leaves it at the study's default.
constexpr const char* paths[] = {"posterior.initial_sd", "posterior.initial_tau", "posterior.initial_rho", "posterior.dropout_rate", "prior.weight_sd",
                                 "prior.bias_sd", "training.kl_weighting", "training.kl_weight", "training.kappa", "training.l2", "training.learning_rate",
                                 "training.optimizer", "network.dropout", "posterior.laplace_predictive"};

const std::vector<Setting>& table_settings_of(Family family)
{
    static const std::vector<Setting> point{{"training.l2", "0.0001"}, {"training.learning_rate", "0.01"}};
    // Weight decay 0.001 of some hundred points is λ = N · decay of the order of 0.1: the estimate is a mode of something.
    static const std::vector<Setting> laplace{{"training.l2", "0.001"}, {"training.learning_rate", "0.01"}};
    static const std::vector<Setting> dropout{{"training.l2", "0.0001"}, {"training.learning_rate", "0.01"}, {"posterior.dropout_rate", "0.1"}};
    static const std::vector<Setting> mean_field{{"posterior.initial_sd", "0.05"}, {"prior.weight_sd", "0.5"}, {"prior.bias_sd", "2"},
                                                 {"training.kl_weighting", "uniform"}, {"training.kl_weight", "1"}, {"training.learning_rate", "0.01"}};
    // Uniform weights with the factor 0.01 are ν = 1/(100 N) beside the mean loss.
    static const std::vector<Setting> layer_scale{{"posterior.initial_tau", "0.4, 0.1"}, {"prior.weight_sd", "1"}, {"prior.bias_sd", "1"},
                                                  {"training.kl_weighting", "uniform"}, {"training.kl_weight", "0.01"}, {"training.learning_rate", "0.003"}};
    static const std::vector<Setting> tridiagonal = [] {
        auto settings = layer_scale;
        settings.push_back({"posterior.initial_rho", "0.01, 0.01"});
        settings.push_back({"training.kappa", "50"});
        return settings;
    }();
    switch (family) {
    case Family::point_estimate: return point;
    case Family::bernoulli_dropout: return dropout;
    case Family::mean_field: return mean_field;
    case Family::layer_scale: return layer_scale;
    case Family::tridiagonal: return tridiagonal;
    case Family::laplace: return laplace;
    }
    return point;
}

std::vector<Setting> image_settings_of(Family family, NetworkKind kind)
{
    const bool lenet = kind == NetworkKind::lenet_caffe;
    if (family == Family::mean_field)   // with momentum the spreads would hardly leave their start
        return {{"posterior.initial_sd", "0.04"}, {"prior.weight_sd", "1"}, {"prior.bias_sd", "1"}, {"training.kl_weighting", "uniform"}, {"training.kl_weight", "0.1"},
                {"training.optimizer", "adam"}, {"training.learning_rate", "0.001"}};
    std::vector<Setting> settings{{"training.optimizer", "momentum"}, {"training.learning_rate", "0.01"}};
    const auto           add = [&](std::initializer_list<Setting> more) { settings.insert(settings.end(), more); };
    if (family == Family::point_estimate) {
        add({{"training.l2", "0.0005"}, {"network.dropout", lenet ? "0.5" : "0"}});
        return settings;
    }
    if (family == Family::laplace) {   // without dropout: the curvature belongs to the net that predicts
        add({{"training.l2", "0.0005"}});
        return settings;
    }
    if (family == Family::bernoulli_dropout) {
        add({{"training.l2", "0.0005"}, {"posterior.dropout_rate", "0.2"}});
        return settings;
    }
    add({{"prior.weight_sd", "1"}, {"prior.bias_sd", "1"}, {"training.kl_weighting", "uniform"}, {"training.kl_weight", "0.01"}});
    add({{"posterior.initial_tau", lenet ? "0.4, 0.1, 0.4, 0.1, 1, 0.2, 0.4, 0.1" : "0.4, 0.1"}});
    if (family == Family::tridiagonal) {
        settings.push_back({"posterior.initial_rho", "0.01, 0.01"});
        settings.push_back({"training.kappa", "50"});
    }
    return settings;
}

std::vector<Setting> settings_of(const Study& study, Family family)
{
    auto settings = is_images(study.data.source) ? image_settings_of(family, study.network.kind) : table_settings_of(family);
    if (family == Family::laplace)
        settings.push_back({"posterior.laplace_predictive", "linearised"});
    return settings;
}

FieldValue value_for(const Study& study, Family family, const Field& setting)
{
    for (const auto& [path, value] : settings_of(study, family))
        if (setting.path == path)
            return parse_value(setting, value);
    static const Study standard;
    return setting.get(standard);
}

/// Moves the family's settings from where they stand in `before` to where they belong in `after`; what the user set stays.
Study with_moved_settings(const Study& before, Study after)
{
    for (const char* path : paths) {
        const Field& setting = field(path);
        if (setting.get(before) == value_for(before, before.posterior.family, setting))
            setting.set(after, value_for(after, after.posterior.family, setting));
    }
    return after;
}

}  // namespace

FamilyChange with_family_defaults(const Study& study, Family family)
{
    Study changed            = study;
    changed.posterior.family = family;
    changed                  = with_moved_settings(study, changed);
    return {changed, differences(study, changed)};
}

Study with_network_kind(const Study& study, NetworkKind kind)
{
    Study changed        = study;
    changed.network.kind = kind;
    return with_moved_settings(study, changed);
}

}  // namespace credence
