// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/lint.h"
#include "posterior/outputs_posterior.h"
#include "posterior/point_estimate.h"
#include "prediction/linearised_logits.h"
#include "prediction/posterior_predictive.h"
#include "runs/laplace_fit.h"
#include "study/method.h"
#include "views/chosen_logits.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double most_outside   = 0.5;   // largest share of rows at which Proposition 1 fails
constexpr double most_off_plane = 0.5;   // largest share of the variance along (1, …, 1), for the plain variant
constexpr std::size_t looked_at = 50;    // at most this many rows

/// Gaussians over the logits at some scored rows, from a Laplace approximation or a file. Empty if
/// the run has none.
std::vector<LogitGaussian> gaussians_of_rows(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = view_support::scored_set(experiment);
    const std::size_t d = experiment.data->training.n_features, n = std::min(set.data->n_rows, looked_at);
    std::vector<float> inputs;
    for (std::size_t i = 0; i < n; ++i) {
        const auto first = set.inputs.begin() + static_cast<std::ptrdiff_t>(i * set.data->n_rows / n * d);
        inputs.insert(inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
    }
    std::vector<LogitGaussian> all;
    if (const auto* known = known_gaussians(run)) {
        for (const auto row : rows_named(inputs, *known))
            if (auto z = known->gaussian(row))
                all.push_back(std::move(*z));
    } else if (!experiment.outputs && method_of(experiment.study).training.fits_curvature
               && gives_linearised_logits(run))
        all = linearised_logits(experiment.model, *run.snapshot->posterior, inputs, static_cast<int>(n), stop);
    return all;
}

struct OutsideOfBridge {
    double share     = 0;   ///< of the rows: Proposition 1 fails for their predicted class
    double off_plane = 0;   ///< mean share of the variance along (1, …, 1)/√K
};

OutsideOfBridge outside_of_bridge(const std::vector<LogitGaussian>& all, BridgeVariant variant)
{
    OutsideOfBridge out;
    const auto n = static_cast<double>(all.size());
    for (const auto& z : all) {
        const auto distribution = bridge(z, variant);
        const auto k            = std::ranges::max_element(distribution.log_alpha) - distribution.log_alpha.begin();
        const double alpha_k    = std::exp(distribution.log_alpha[static_cast<std::size_t>(k)]);
        const double rest       = std::exp(distribution.log_total) - alpha_k;
        if (std::isfinite(alpha_k) && !(alpha_k > proposition1_threshold(std::max(0.0, rest))))
            out.share += 1 / n;
        const auto sigma = z.covariance();
        const auto K     = z.mu().size();
        double sum = 0, trace = 0;
        for (std::size_t i = 0; i < sigma.size(); ++i) {
            sum += static_cast<double>(sigma[i]);
            trace += i % (K + 1) == 0 ? static_cast<double>(sigma[i]) : 0;
        }
        if (trace > 0)
            out.off_plane += sum / static_cast<double>(K) / trace / n;
    }
    return out;
}

std::optional<Finding> check_bridge_region(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!run.experiment || !run.snapshot || run.experiment->task() != Task::classification)
        return {};
    const auto variant = lint_case.options.simplex.density.variant;
    const auto all     = gaussians_of_rows(run, stop);
    if (all.empty() || stop.stop_requested())
        return {};
    const auto outside = outside_of_bridge(all, variant);
    const bool plain   = variant == BridgeVariant::plain && outside.off_plane > most_off_plane;
    if (outside.share <= most_outside && !plain)
        return {};
    const std::string rows = counted(static_cast<long>(all.size()), "row");
    return Finding{
        .severity = Severity::warning,
        .title    = "The Laplace Bridge is used outside its valid region.",
        .evidence = outside.share > most_outside
                        ? "Proposition 1 fails for " + percent(outside.share) + " of " + rows + ", expected at most "
                              + percent(most_outside) + "."
                        : percent(outside.off_plane) + " of the variance of the logits of " + rows
                              + " is along (1, …, 1), expected at most " + percent(most_off_plane)
                              + " for the variant that uses the covariance unchanged.",
        .reason =
            outside.share > most_outside
                ? "Here the variance of the Dirichlet falls as that of the logits grows, so a less certain network "
                  "looks more certain. Sample from the Gaussian instead."
                : "Softmax ignores this direction, but the bridge counts it as uncertainty. The projected variant "
                  "removes it.",
        .remedy = {.label = "Compare sampling with the bridge", .view = "bridge_scores"}};
}

}   // namespace

LintRule bridge_region_rule()
{
    return {
        .id    = "bridge_region",
        .title = "Laplace Bridge outside its valid region",
        .what =
            "Laplace approximations and files with Gaussians over logits, at up to 50 rows: warning if the α of the "
            "predicted class does not fulfil Proposition 1 of Hobbhahn 2020 at more than half of them, or if the plain "
            "variant of the bridge is chosen and more than half of the variance is orthogonal to the plane Σ z = 0.",
        .idea      = "Hobbhahn 2020, Proposition 1",
        .threshold = "chosen for Credence: half of the rows",
        .check     = check_bridge_region};
}

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
    if (!method_of(study).training.fits_curvature || study.posterior.laplace.precision_from != PrecisionFrom::evidence
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
        .severity = Severity::warning,
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
        .what  = "Laplace approximations whose prior precision maximises the evidence: warning if the accuracy is more "
                 "than 2 percentage points below that of the trained weights on the same rows, and by more than 3 "
                 "standard errors of the paired difference. It happens if samples are evaluated with the original "
                 "network instead of the linearised one (Immer, Korzepa and Bauer 2021).",
        .idea  = "Immer, Korzepa and Bauer 2021",
        .threshold = "chosen for Credence: 2 percentage points of accuracy and 3 standard errors",
        .check     = check_evidence_precision};
}

namespace {

std::optional<Finding> check_evidence_range(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case))
        return {};
    const auto& study    = lint_case.run.experiment->study;
    const auto posterior = laplace_of(*lint_case.run.snapshot);
    if (!posterior || study.posterior.laplace.precision_from != PrecisionFrom::evidence)
        return {};
    const double precision = posterior->precision();
    if (precision > smallest_precision && precision < largest_precision)
        return {};
    const bool narrow = precision >= largest_precision;
    return Finding{
        .severity = Severity::warning,
        .title    = "The evidence has no maximum within the range of λ.",
        .evidence = "λ = " + number(precision) + ", the " + (narrow ? "largest" : "smallest")
                    + " value of the range from " + number(smallest_precision) + " to " + number(largest_precision)
                    + " in which the evidence is maximised.",
        .reason =
            narrow ? "The evidence still grows there, as for weights that decayed to 0. The posterior has almost no "
                     "width, and its uncertainty means nothing."
                   : "The evidence still grows there. The data do not determine the prior precision, and the posterior "
                     "is as wide as the range allows.",
        .remedy = {.label = "Show the evidence", .view = "laplace_evidence"}};
}

}   // namespace

LintRule evidence_range_rule()
{
    return {
        .id    = "evidence_range",
        .title = "Evidence-optimal λ at the end of its range",
        .what  = "Laplace approximations whose prior precision maximises the evidence: warning if the maximum in the "
                 "range from 10⁻⁶ to 10⁸ is at an end.",
        .idea  = "MacKay 1992",
        .threshold = "the ends of the range",
        .check     = check_evidence_range};
}

}   // namespace credence
