// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "posterior/point_estimate.h"
#include "prediction/posterior_predictive.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double least_fall     = 0.02;   // smallest fall in accuracy
constexpr double clear_of_noise = 3;      // standard errors of the paired difference

/// Classes predicted with the mean weights for the rows of `scored`. Empty: stopped.
std::vector<int> predicted_by_means(const RunSnapshot& run, const ScoredPredictions& scored,
                                    const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = view_support::scored_set(experiment);
    const std::size_t d    = experiment.data->training.n_features;
    std::vector<float> inputs;
    inputs.reserve(scored.rows.size() * d);
    for (const auto row : scored.rows) {
        const auto first = set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        inputs.insert(inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
    }
    Model model                    = experiment.model;
    model.linearised_at_prediction = false;
    model.dropout_at_prediction    = false;
    const auto& posterior          = *run.snapshot->posterior;
    const auto means               = std::make_shared<PointEstimate<float>>(posterior.layout(), posterior.means());
    const PosteriorPredictive predictive(model, means, 1, experiment.study.seed);
    const double level      = 0.95;
    const auto set_of_means = set_predictions(predictive, inputs, static_cast<int>(d), std::span(&level, 1), stop);
    return set_of_means ? set_of_means->classes.predicted : std::vector<int>();
}

std::optional<Finding> check_evidence_precision(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return {};
    const auto& study = lint_case.run.experiment->study;
    if (!method_of(study).fits_curvature || study.posterior.laplace.precision_from != PrecisionFrom::evidence
        || !lint_case.run.snapshot->posterior->has_weight_noise())
        return {};
    const auto scored = predictions(lint_case, stop);
    if (!scored || scored->rows.empty() || scored->labels.empty())
        return {};
    const auto by_means = predicted_by_means(lint_case.run, *scored, stop);
    if (by_means.size() != scored->rows.size())
        return {};
    long lost = 0, won = 0, right = 0;
    for (std::size_t i = 0; i < by_means.size(); ++i) {
        const bool before = by_means[i] == scored->labels[i],
                   after  = scored->set.classes.predicted[i] == scored->labels[i];
        right += before;
        lost += before && !after;
        won += after && !before;
    }
    const double n = static_cast<double>(by_means.size());
    if (!accuracy_fell(lost, won, static_cast<long>(by_means.size())))
        return {};
    const bool by_weights = study.posterior.laplace.predictive == LaplacePredictive::weights;
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The evidence-optimal prior precision costs accuracy.",
        .evidence = "Of " + counted(static_cast<long>(by_means.size()), "row") + ", the trained weights predict "
                    + percent(static_cast<double>(right) / n) + " correctly, samples from the Laplace approximation "
                    + percent(static_cast<double>(right - lost + won) / n) + "; expected a loss of at most "
                    + percent(least_fall) + ".",
        .reason =
            "The evidence is that of the network linearised at the trained weights. At this λ the Gaussian is so wide "
            "that sampled weights no longer fit the data.",
        .remedy = by_weights ? Remedy{.label    = "Predict with the linearised network",
                                      .settings = {{"posterior.laplace_predictive", "linearised"}}}
                             : Remedy{.label    = "Choose λ by the confidence",
                                      .settings = {{"posterior.laplace_precision_from", "confidence_below_map"}}}};
}

}   // namespace

bool lint_support::accuracy_fell(long lost, long won, long n)
{
    const auto fall = static_cast<double>(lost - won);
    return fall > least_fall * static_cast<double>(n)
           && fall > clear_of_noise * std::sqrt(static_cast<double>(lost + won));
}

LintRule evidence_precision_rule()
{
    return {
        .id    = "evidence_precision",
        .title = "Evidence-optimal λ that lowers accuracy",
        .what = "Laplace approximations whose prior precision maximises the evidence: doubtful if the accuracy is more "
                "than 2 percentage points below that of the trained weights on the same rows, and by more than 3 "
                "standard errors of the paired difference. It happens if samples are evaluated with the original "
                "network instead of the linearised one (Immer, Korzepa and Bauer 2021).",
        .idea = "Immer, Korzepa and Bauer 2021",
        .threshold = "chosen for Credence: 2 percentage points of accuracy and 3 standard errors",
        .check     = check_evidence_precision};
}

}   // namespace credence
