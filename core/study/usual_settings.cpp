// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/usual_settings.h"

#include "data/split.h"
#include "foundation/number_text.h"
#include "prediction/conformal.h"
#include "prediction/recalibration.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/presets.h"
#include "study/source.h"

#include <algorithm>
#include <set>

namespace credence {
namespace {

/// The usual value of the setting in this study; its default if the method does not name it.
FieldValue usual_value(const Study& study, const Field& setting)
{
    for (const auto& [path, value] : method_of(study).usual(study))
        if (setting.path == path)
            return parse_value(setting, value);
    static const Study standard;
    return setting.get(standard);
}

/// Changes the method's settings from their usual values in `before` to those in `after`; keeps
/// what the user set.
Study with_moved_settings(const Study& before, Study after)
{
    std::set<std::string> paths;
    for (const auto& study : {before, after})
        for (const auto& usual : method_of(study).usual(study))
            paths.insert(usual.path);
    for (const auto& path : paths) {
        const Field& setting = field(path);
        if (setting.get(before) == usual_value(before, setting))
            setting.set(after, usual_value(after, setting));
    }
    return after;
}

/// Returns `study` with network, training, posterior and prior of `from`, adapted to the family of
/// `study`.
Study with_settings_of(const Study& from, const Study& study)
{
    Study like        = from;
    like.data         = study.data;
    like              = with_family_defaults(like, study.posterior.family).study;
    Study changed     = study;
    changed.network   = like.network;
    changed.training  = like.training;
    changed.posterior = like.posterior;
    changed.prior     = like.prior;
    return changed;
}

/// Starts from a point estimate; the settings of other families are derived from it.
Study image_start(const Source& source)
{
    Study study;
    study.data.source             = source.id;
    study.network.kind            = source.first_network;
    study.network.units           = source.first_units;
    study.network.dropout         = source.first_network == NetworkKind::lenet_caffe ? 0.5 : 0;
    study.network.initialisation  = Initialisation::caffe;
    study.posterior.family        = "point_estimate";
    study.training.steps          = source.first_steps;
    study.training.batch_size     = 64;
    study.training.bias_rate      = 2;
    study.training.l2             = 5e-4;
    study.training.optimizer.kind = OptimizerKind::momentum;
    study.training.schedule       = {.kind = ScheduleKind::inverse, .learning_rate = 0.01};
    return study;
}

}   // namespace

FamilyChange with_family_defaults(const Study& study, const std::string& family)
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

Study with_data_source(const Study& study, const std::string& id)
{
    const Source& to    = source(id);
    Study changed       = study;
    changed.data.source = id;
    if (id != study.data.source) {   // another table has other columns and rows
        changed.split.kind = SplitKind::random;
        changed.split.column.clear();
        changed.split.test_rows.clear();
    }
    if (to.gives_images() == is_images(study.data.source))
        return changed;
    return with_settings_of(to.gives_images() ? image_start(to) : default_study(), changed);
}

Study with_table_settings(const Study& study, std::size_t n_rows)
{
    constexpr long epochs                   = 60;
    constexpr int batch                     = 100;
    constexpr std::size_t many_rows         = 10'000;
    Study changed                           = study;
    changed.network.hidden                  = n_rows > many_rows ? std::vector{50, 50} : std::vector{50};
    changed.network.activation              = ActivationKind::relu;
    changed.training.batch_size             = batch;
    changed.training.schedule.kind          = ScheduleKind::cosine;
    changed.training.schedule.learning_rate = 0.003;
    const long per_epoch                    = static_cast<long>(n_rows / batch) + 1;
    changed.training.steps = std::clamp((epochs * per_epoch + 500) / 1000 * 1000, 10000L, 30000L);   // a round number
    return changed;
}

namespace {

/// Removes the settings that name classes or columns of another table, or that need another task.
Study without_settings_of_other_tables(Study study, Task task)
{
    auto& prediction            = study.prediction;
    prediction.conformal_by     = ConformalBy::all;
    prediction.conformal_column = {};
    if (const bool classes = task == Task::classification;
        is_of_classes(prediction.conformal.score) != classes || study.split.calibration_fraction == 0)
        prediction.conformal.score = ConformalScore::none;
    if (auto& own = study.network.own; own.erase("network.class_weight_list") > 0)
        own.erase("network.class_weights");
    return study;
}

}   // namespace

Study with_first_table_settings(const Study& study, const Dataset& table)
{
    constexpr std::size_t enough_to_calibrate = 200;    // rows
    constexpr double least_noise              = 0.05;   // of the target's standard deviation
    Study changed                             = with_table_settings(study, table.n_rows);
    changed.split.standardise_inputs          = true;
    changed.split.standardise_targets         = table.task == Task::regression;
    const bool calibrates                     = table.n_rows >= enough_to_calibrate;
    changed.split.calibration_fraction        = calibrates ? 0.2 : 0;
    changed.prediction.recalibration          = !calibrates                      ? RecalibrationKind::none
                                                : table.task == Task::regression ? RecalibrationKind::sigma
                                                                                 : RecalibrationKind::temperature;
    changed                                   = without_settings_of_other_tables(std::move(changed), table.task);
    SplitOptions rows                         = changed.split;
    // Its column was not read with this table; for the noise, any rows suffice
    if (!table.split_column && !rows.column.empty())
        rows.kind = SplitKind::random;
    const SplitData parts = split(table, rows);
    std::vector<double> levels;
    const Field& setting = field("network.noise_sd");
    setting.set(changed, setting.get(Study{}));   // resets values chosen for another target
    field("network.noise_sd_list").set(changed, levels);
    for (std::size_t t = 0; t < table.n_targets(); ++t) {
        if (const auto noise = noise_by_neighbours(parts, t))
            levels.push_back(
                std::min(rounded_number(std::max(*noise, least_noise * parts.target_scales().sd[t]), 2), setting.max));
    }
    if (levels.size() < table.n_targets())
        return changed;
    changed.network.noise = "given";
    if (levels.size() == 1)
        setting.set(changed, levels.front());
    else
        field("network.noise_sd_list").set(changed, levels);
    return changed;
}

Study with_default_settings(const Study& study)
{
    const DataSpec& data  = study.data;
    Study usual           = with_data_source(default_study(), data.source);
    usual.network.noise   = study.network.noise;
    usual.network.layers  = study.network.layers;
    usual                 = with_network_kind(usual, study.network.kind);
    usual                 = with_family_defaults(usual, study.posterior.family).study;
    DataSpec named        = usual.data;
    named.toy.kind        = data.toy.kind;
    named.toy.noise       = default_noise(data.toy.kind);
    named.drawn_task      = data.drawn_task;
    named.points          = data.points;
    named.test_points     = data.test_points;
    named.changes         = data.changes;
    named.file            = data.file;
    named.csv             = data.csv;
    named.images.alphabet = data.images.alphabet;
    named.images.set      = data.images.set;
    usual.data            = named;
    usual.name            = study.name;
    usual.note            = study.note;
    usual.seed            = study.seed;
    return usual;
}

}   // namespace credence
