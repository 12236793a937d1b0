// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/method.h"
#include "views/view_support.h"

#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double most_missed      = 1.5;   // times the misses that the level allows
constexpr double wanted_in_a_tail = 5;     // samples

/// Expected probability content of an interval between type 7 quantiles of S samples: the k-th of S
/// sorted samples is at k/(S + 1) on average.
double expected_content(int samples, double tail)
{
    const double below = 1 + (samples - 1) * tail;   // position of the lower end among the sorted samples
    return 1 - 2 * below / (samples + 1);
}

std::optional<Finding> check_interval_level(const LintCase& lint_case, const std::stop_token&)
{
    const auto& run = lint_case.run;
    if (!run.experiment || !run.snapshot)
        return {};
    const auto& method  = method_of(run.experiment->study);
    const bool ensemble = !run.experiment->outputs && method.ends_with_draws && !method.has_own_steps;
    const int samples   = view_support::predictive_of(run, lint_case.options).n_samples();
    const double level = run.experiment->study.prediction.level, tail = (1 - level) / 2;
    if (ensemble || samples < 2 || 1 - expected_content(samples, tail) <= most_missed * (1 - level))
        return {};
    const auto wanted  = static_cast<long>(std::ceil(wanted_in_a_tail / tail - 1e-9));
    const auto there   = run.snapshot->posterior->different_draws();
    const bool can_add = !run.experiment->outputs && (!there || static_cast<long>(*there) >= wanted);
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The " + percent_text(level) + " intervals are computed from too few samples.",
        .evidence = "Of " + counted(samples, "sample") + ", " + number(samples * tail)
                    + " are beyond each end of the interval. On average such an interval contains "
                    + percent(expected_content(samples, tail)) + " of the distribution, not " + percent_text(level)
                    + "; " + grouped_text(wanted) + " samples leave " + number(wanted_in_a_tail) + " beyond each end.",
        .reason =
            "Quantiles near the outermost samples are too close to the middle, so that the interval is too short, and "
            "they vary a lot between sets of samples.",
        .remedy = can_add ? Remedy{.label    = "Predict with " + grouped_text(wanted) + " samples",
                                   .settings = {{"prediction.samples", std::to_string(wanted)}}}
                          : Remedy{.label = "Show how much samples differ", .view = view_of_intervals(run)}};
}

}   // namespace

LintRule interval_level_rule()
{
    return {
        .id    = "interval_level",
        .title = "Interval level that the samples cannot resolve",
        .what  = "An interval of level α between the quantiles of type 7 of S samples contains less than α of the "
                 "distribution, on average 1 − 2(1 + (S − 1)(1 − α)/2)/(S + 1). At 95 %, this is 86 % with 20 samples, "
                 "91.3 % with 50, 93.1 % with 100 and 94.1 % with 200. Doubtful if it misses more than 1.5 times as "
                 "much as the level allows (at 95 % fewer than 75 samples). The remedy leaves five samples beyond each "
                 "end. Skipped for deep ensembles and SWAG, where few members are part of the method, and if all "
                 "samples agree.",
        .idea  = "Hyndman and Fan 1996 (quantiles of type 7)",
        .threshold = "chosen for Credence: 1.5 times the allowed misses",
        .check     = check_interval_level};
}

}   // namespace credence
