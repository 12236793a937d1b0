// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "runs/laplace_fit.h"
#include "study/method.h"

namespace credence {

using namespace lint_support;

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
        .severity = Severity::doubtful,
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
        .what  = "Laplace approximations whose prior precision maximises the evidence: doubtful if the maximum in the "
                 "range from 10⁻⁶ to 10⁸ is at an end.",
        .idea  = "MacKay 1992",
        .threshold = "the ends of the range",
        .check     = check_evidence_range};
}

}   // namespace credence
