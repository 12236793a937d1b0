// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/quick_comparison.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "runs/estimated_time.h"
#include "runs/experiment.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/names.h"
#include "study/usual_settings.h"

#include <array>

namespace credence {
namespace {

constexpr std::array quick_families{"point_estimate", "deep_ensemble", "mean_field", "laplace", "swag", "nuts"};

/// Measured on two cores: 400 transitions of four chains (401 weights, 246 rows) took 66 s, of which `estimated_seconds`
/// counts 2 s, since it assumes trajectories of 32 steps and a core for each chain.
constexpr double long_trajectories = 30;

Study quick_study(const Experiment& experiment, const std::string& family)
{
    const Study& own = experiment.study;
    Study study      = own;
    if (own.posterior.family != family) {
        study         = with_family_defaults(own, family).study;
        study.network = own.network;
        if (method_of(study).training.sees_all_rows) {   // the usual 1,000 each take minutes
            field("posterior.warmup").set(study, 300L);
            field("posterior.draws").set(study, 200L);
        }
        if (family == "swag") {
            study.training.optimizer     = own.training.optimizer;
            study.training.schedule      = own.training.schedule;
            study.training.schedule.kind = ScheduleKind::constant;
        }
    }
    study.name = name_with_family(name_without_family(own.name, own.posterior.family), family);
    study.note.clear();
    return study;
}

/// Why a chain on all rows would be slow; empty: it is not.
std::string why_slow(const Experiment& experiment)
{
    constexpr std::size_t most_rows = 500, most_weights = 2000;
    const std::size_t rows = experiment.data->training.n_rows, weights = experiment.start->layout().size();
    if (rows > most_rows)
        return "Slow with " + grouped_text(static_cast<long>(rows)) + " training rows.";
    if (weights > most_weights)
        return "Slow with " + grouped_text(static_cast<long>(weights)) + " weights.";
    return {};
}

}   // namespace

std::vector<QuickMethod> quick_comparison(const Experiment& experiment)
{
    std::vector<QuickMethod> all;
    for (const char* family : quick_families) {
        QuickMethod& one = all.emplace_back();
        one.study        = quick_study(experiment, family);
        try {
            one.seconds = estimated_seconds(*experiment_on(one.study, experiment.data));
        } catch (const Error& error) {
            one.possible = one.suggested = false;
            one.note                     = error.what();
            continue;
        }
        if (method_of(one.study).training.sees_all_rows) {
            one.seconds *= long_trajectories;
            one.note      = why_slow(experiment);
            one.suggested = one.note.empty();
        }
    }
    return all;
}

}   // namespace credence
