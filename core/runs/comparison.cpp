// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/comparison.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/number_text.h"
#include "runs/estimated_time.h"
#include "runs/experiment.h"
#include "study/fields.h"
#include "study/method.h"
#include "study/names.h"
#include "study/presets.h"
#include "study/usual_settings.h"

#include <algorithm>
#include <array>

namespace credence {
namespace {

constexpr auto chains_path = "posterior.chains";

/// The prior's standard deviation, equal for all weights and biases.
double sigma_of_prior(const Study& reference)
{
    const PriorSpec& prior = reference.prior;
    const auto all         = [](const std::vector<double>& list, double value) {
        return !list.empty() && std::all_of(list.begin(), list.end(), [value](double one) { return one == value; });
    };
    if (prior.kind != PriorKind::gaussian || prior.weight_sd.empty() || !all(prior.weight_sd, prior.weight_sd.front())
        || !all(prior.bias_sd, prior.weight_sd.front()) || !all(prior.weight_mean, 0) || !all(prior.bias_mean, 0))
        throw Error(
            "prior.weight_sd",
            "The prior has several scales or a mean; a comparison needs a Gaussian with mean 0 and one standard "
            "deviation for all weights and biases, as weight decay and Laplace approximations do.");
    return prior.weight_sd.front();
}

/// The Study with steps and learning rates of the method's first preset, or the usual ones if there
/// is no preset.
Study begun_by(const Method& method, const Study& reference)
{
    for (const auto& one : presets())
        if (one.study.posterior.family == method.id && !is_images(one.study.data.source))
            return one.study;
    Study study;
    study.data             = reference.data;
    study.posterior.family = method.id;
    for (const auto& [path, value] : method.usual(study))
        field(path).set(study, parse_value(field(path), value));
    return study;
}

bool has_setting(const Method& method, const std::string& path)
{
    return std::any_of(method.fields.begin(), method.fields.end(),
                       [&](const Field& field) { return field.path == path; });
}

/// True if steps are proportional to the gradient, so that a learning rate suits only one scale of
/// the loss.
bool moves_by_gradient(const Method& method, const Study& study)
{
    return method.training.moves_by_gradient
           || (!method.training.own_steps && study.training.optimizer.kind != OptimizerKind::adam);
}

Study study_of_method(const Experiment& experiment, const Method& method)
{
    const Study& reference = experiment.study;
    Study study            = begun_by(method, reference);
    study.name             = named_for_family(reference.name, reference.posterior.family, method.id);
    study.note = "One of the runs compared with the reference posterior: data, network and prior are those of "
                 + reference.name + ".";
    study.seed          = reference.seed;
    study.data          = reference.data;
    study.split         = reference.split;
    study.network       = reference.network;
    study.prior         = reference.prior;
    study.prior.learned = false;   // the reference uses the fixed prior
    study.prediction    = reference.prediction;
    const double sigma = sigma_of_prior(reference), precision = 1 / (sigma * sigma);
    if (method.has_kl()) {
        study.training.kl_weighting = KlWeighting::uniform;
        study.training.kl_weight    = 1;
    }
    if (!method.under_prior()) {
        study.training.l2 = precision / static_cast<double>(experiment.data->training.n_rows);
        study.training.layer_l2.clear();
    }
    if (method.training.fits_curvature) {
        study.posterior.laplace.precision_from = PrecisionFrom::hand;
        study.posterior.laplace.precision      = precision;
    }
    if (has_setting(method, chains_path) && has_setting(method_of(reference), chains_path))
        field(chains_path).set(study, field(chains_path).get(reference));
    if (const auto s = experiment.model.likelihood->constant_scale(); s && moves_by_gradient(method, study))
        study.training.schedule.learning_rate *= *s * *s / 2;
    return study;
}

}   // namespace

std::vector<Study> studies_of_methods(const Study& reference)
{
    sigma_of_prior(reference);
    const auto experiment = prepare(reference);
    std::vector<Study> all{reference};
    for (const Method& method : methods()) {
        if (method.id == reference.posterior.family)
            continue;
        const auto study = study_of_method(*experiment, method);
        try {
            prepare(study);
        } catch (const Error&) {   // the data are valid: the method refuses
            continue;
        }
        all.push_back(study);
    }
    return all;
}

bool same_run(Study a, const Study& b)
{
    a.name = b.name;
    a.note = b.note;
    return a == b;
}

const std::vector<MethodComparison>& comparisons()
{
    static const std::vector<MethodComparison> list{
        {.id    = "two_moons_truth",
         .title = "Two moons",
         .help =
             "Four NUTS chains sample the posterior of a network with ten hidden units on two moons. Then every other "
             "method is trained with the same data, network and prior and compared with them. Look at the maps far "
             "from the data, where the methods differ most.",
         .studies = [] { return studies_of_methods(preset("two_moons_nuts")); }},
        {.id    = "sine_gap_truth",
         .title = "Curve with a gap",
         .help =
             "The same for a sine with a gap: which band widens in the gap and beyond the data as much as that of the "
             "reference posterior?",
         .studies = [] { return studies_of_methods(preset("sine_gap_nuts")); }}};
    return list;
}

const MethodComparison* comparison_with_reference(const Study& reference)
{
    if (!method(reference.posterior.family).posterior.is_sample_set)
        return nullptr;
    for (const auto& one : comparisons())
        if (const auto studies = one.studies(); !studies.empty() && same_run(studies.front(), reference))
            return &one;
    return nullptr;
}

const MethodComparison& comparison(const std::string& id)
{
    if (const auto* found = find_listed(comparisons(), id))
        return *found;
    throw Error("There is no comparison \"" + id + "\", expected one of " + listed_ids(comparisons()) + ".");
}

namespace {

constexpr std::array quick_families{"point_estimate", "deep_ensemble", "mean_field", "laplace", "swag", "nuts"};

/// Measured on two cores: 400 transitions of four chains (401 weights, 246 rows) took 66 s, of which
/// `estimated_seconds` counts 2 s, since it assumes trajectories of 32 steps and a core for each chain.
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

/// Returns why a chain on all rows would be slow; empty: it would not.
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
