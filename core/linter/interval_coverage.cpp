// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "prediction/regression.h"
#include "views/view_support.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr std::size_t fewest_test_rows = 20, most_test_rows = 1000;
constexpr double rare_count = 0.001;
constexpr double far_more   = 2;                       // times the misses that the level allows
constexpr double central = 0.5, most_central = 0.75;   // the central 50 % interval, and its coverage

/// F(y) of the predictive distribution at the target of each row, for evenly spaced scored rows.
/// Empty: stopped.
std::vector<double> probability_transforms(const RunSnapshot& run, const ViewOptions& options,
                                           const std::stop_token& stop)
{
    const auto& data    = *run.experiment->data;
    const auto set      = view_support::scored_set(*run.experiment);
    const std::size_t d = set.data->n_features, n = std::min(set.data->n_rows, most_test_rows);
    std::vector<float> inputs;
    std::vector<double> targets;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i * set.data->n_rows / n;
        const auto first      = set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        inputs.insert(inputs.end(), first, first + static_cast<std::ptrdiff_t>(d));
        targets.push_back(set.data->targets[row]);
    }
    std::vector<double> out;
    const auto predictive = view_support::predictive_of(run, options);
    const bool done       = predictive.stream_outputs(inputs, static_cast<int>(d), stop,
                                                      [&](const OutputSamples& outputs, std::size_t from) {
        const auto samples = regression_samples(view_of(outputs), data.target_mean, data.target_sd);
        std::vector<double> f(static_cast<std::size_t>(samples.n_samples)), s(f.size());
        for (int i = 0; i < samples.n_inputs; ++i) {
            for (int k = 0; k < samples.n_samples; ++k) {
                const auto at = static_cast<std::size_t>(k) * static_cast<std::size_t>(samples.n_inputs)
                                + static_cast<std::size_t>(i);
                f[static_cast<std::size_t>(k)] = samples.f[at];
                s[static_cast<std::size_t>(k)] = samples.s[at];
            }
            out.push_back(mixture_cdf(f, s, targets[from + static_cast<std::size_t>(i)]));
        }
    });
    return done ? out : std::vector<double>();
}

std::optional<Finding> check_interval_coverage(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!run.experiment || !run.snapshot || run.experiment->outputs || run.experiment->task() == Task::classification
        || run.experiment->data->test.n_rows < fewest_test_rows)
        return {};
    const auto u = probability_transforms(run, lint_case.options, stop);
    if (u.empty())
        return {};
    const double level                                                 = run.experiment->study.prediction.level;
    const auto [covered, middle, p_short, p_wide, too_short, too_wide] = coverage_verdict(u, level);
    if (!too_short && !too_wide)
        return {};
    const std::string rows = counted(static_cast<long>(u.size()), "test row");
    return Finding{
        .severity = too_short && covered < level / 2 ? Severity::wrong : Severity::doubtful,
        .title    = too_short ? "The predictive intervals are too short." : "The predictive intervals are too wide.",
        .evidence = too_short ? "The " + percent_text(level) + " predictive interval contains the target of "
                                    + percent(covered) + " of " + rows
                                    + ". If it were right, the probability of so few would be " + number(p_short) + "."
                              : "The central " + percent_text(central)
                                    + " of the predictive distribution contains the target of " + percent(middle)
                                    + " of " + rows + ". If it were right, the probability of so many would be "
                                    + number(p_wide) + ".",
        .reason =
            too_short
                ? "The run is more confident than its errors allow. The noise is set too small, the posterior is too "
                  "narrow, or the scale of the targets does not fit the noise."
                : "The run is less confident than its errors allow. The noise is set too large, or the posterior is "
                  "too wide.",
        .remedy = {.label = "Show the scores", .view = "scores"}};
}

}   // namespace

CoverageVerdict lint_support::coverage_verdict(std::span<const double> transforms, double level)
{
    const auto n      = static_cast<double>(transforms.size());
    const auto inside = [&](double content) {
        return static_cast<double>(
            std::ranges::count_if(transforms, [&](double u) { return std::fabs(u - 0.5) <= content / 2; }));
    };
    const double covered = inside(level), middle = inside(central);
    CoverageVerdict out{.covered = covered / n, .middle = middle / n};
    out.p_short = boost::math::cdf(boost::math::binomial(n, level), covered);
    if (middle > 0)
        out.p_wide = boost::math::cdf(boost::math::complement(boost::math::binomial(n, central), middle - 1));
    out.too_short = out.p_short < rare_count && 1 - out.covered > far_more * (1 - level);
    out.too_wide  = out.p_wide < rare_count && out.middle > most_central;
    return out;
}

LintRule interval_coverage_rule()
{
    return {
        .id    = "interval_coverage",
        .title = "Predictive intervals whose coverage is far from their level",
        .what =
            "Regression with at least 20 test rows (up to 1,000 of them are used): too short if the predictive "
            "interval at the level of the Study misses more than twice as many targets as the level allows, too wide "
            "if the central 50 % interval contains more than 75 % of the targets, and the exact binomial probability "
            "of such a count is below 0.1 %. Wrong if the coverage is less than half of the level, otherwise doubtful.",
        .threshold = "chosen for Credence: twice the misses, 75 %, and a probability of 0.1 %",
        .check     = check_interval_coverage};
}

}   // namespace credence
