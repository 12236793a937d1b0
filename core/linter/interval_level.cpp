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

constexpr double fewest_in_a_tail =
    0.5;   // draws: then the interval ends closer to the outermost draw than to the next one

std::optional<Finding> check_interval_level(const LintCase& lint_case, const std::stop_token&)
{
    const auto& run = lint_case.run;
    if (!run.experiment || !run.snapshot)
        return {};
    const auto& method  = method_of(run.experiment->study);
    const bool ensemble = !run.experiment->outputs && method.ends_with_draws && !method.has_own_steps;
    const int samples   = view_support::predictive_of(run, lint_case.options).n_samples();
    const double level = run.experiment->study.prediction.level, tail = (1 - level) / 2;
    if (ensemble || samples < 2 || samples * tail >= fewest_in_a_tail)
        return {};
    const auto wanted  = static_cast<long>(std::ceil(5 / tail));   // five draws beyond each end
    const auto there   = run.snapshot->posterior->different_draws();
    const bool can_add = !run.experiment->outputs && (!there || static_cast<long>(*there) >= wanted);
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The " + percent_text(level) + " intervals are made of too few draws.",
        .evidence = "Of " + counted(samples, "draw") + " " + number(samples * tail)
                    + " lie beyond each end of such an interval, expected at least " + number(fewest_in_a_tail) + "; "
                    + grouped_text(wanted) + " draws leave five there.",
        .source = "Hyndman and Fan 1996",
        .reason =
            "The ends of the interval are the outermost draws whatever the level is: they say more of how many draws there are "
            "than of the posterior.",
        .remedy = can_add ? Remedy{.label    = "Predict by " + grouped_text(wanted) + " draws",
                                   .settings = {{"prediction.samples", std::to_string(wanted)}}}
                          : Remedy{.label = "Show how far draws differ", .view = view_of_intervals(run)}};
}

}   // namespace

LintRule interval_level_rule()
{
    return {
        .id    = "interval_level",
        .title = "Interval level that the draws cannot resolve",
        .what =
            "An interval of level α from S draws has S(1 − α)/2 of them beyond each end. Doubtful below a half: then quantiles of type 7 "
            "(Hyndman and Fan 1996) end next to the outermost draw. At 95 % that is fewer than 20 draws. Silent on deep ensembles "
            "and SWAG, whose few members are the method, and where all draws agree.",
        .check = check_interval_level};
}

}   // namespace credence
