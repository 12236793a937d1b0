// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "posterior/outputs_posterior.h"
#include "prediction/linearised_logits.h"
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
constexpr std::size_t looked_at = 50;    // at most so many rows

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
    } else if (!experiment.outputs && method_of(experiment.study).fits_curvature && gives_linearised_logits(run))
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
        const auto law       = bridge(z, variant);
        const auto k         = std::ranges::max_element(law.log_alpha) - law.log_alpha.begin();
        const double alpha_k = std::exp(law.log_alpha[static_cast<std::size_t>(k)]);
        const double rest    = std::exp(law.log_total) - alpha_k;
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
    const auto variant = lint_case.options.bridge_variant;
    const auto all     = gaussians_of_rows(run, stop);
    if (all.empty() || stop.stop_requested())
        return {};
    const auto outside = outside_of_bridge(all, variant);
    const bool plain   = variant == BridgeVariant::plain && outside.off_plane > most_off_plane;
    if (outside.share <= most_outside && !plain)
        return {};
    const std::string rows = counted(static_cast<long>(all.size()), "row");
    return Finding{
        .severity = Severity::doubtful,
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
            "Laplace approximations and files with Gaussians over logits, at up to 50 rows: doubtful if the α of the "
            "predicted class does not fulfil Proposition 1 of Hobbhahn 2020 at more than half of them, or if the plain "
            "variant of the bridge is chosen and more than half of the variance is orthogonal to the plane Σ z = 0.",
        .idea      = "Hobbhahn 2020, Proposition 1",
        .threshold = "chosen for Credence: half of the rows",
        .check     = check_bridge_region};
}

}   // namespace credence
