// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "posterior/sample_set.h"

#include <algorithm>
#include <map>

namespace credence {

using namespace lint_support;

namespace {

constexpr double fewest_different =
    0.25;   // share of samples that differ from the previous one: a healthy chain accepts more than half
constexpr double least_relative_sd = 1e-4, least_information = 1e-9;   // nats

struct Repeats {
    long different = 0, all = 0;
};

/// How many samples differ from the previous one, within a chain if there are several.
Repeats repeats_of(const SampleSet& set)
{
    const auto& chains = set.origin().chains;
    std::map<int, std::size_t> last_of_chain;
    Repeats out;
    for (std::size_t s = 0; s < set.n_draws(); ++s) {
        const int chain   = chains.empty() ? 0 : chains[s];
        const auto before = last_of_chain.find(chain);
        if (before != last_of_chain.end()) {
            ++out.all;
            out.different += !std::ranges::equal(set.draw_number(s), set.draw_number(before->second));
        }
        last_of_chain[chain] = s;
    }
    for (std::size_t s = 1; out.all == 0 && s < set.n_draws(); ++s)   // members of an ensemble: one sample each
        out.different += !std::ranges::equal(set.draw_number(s), set.draw_number(s - 1));
    if (out.all == 0)
        out.all = static_cast<long>(set.n_draws()) - 1;
    return out;
}

Finding finding_of_draws(const RunSnapshot& run, const std::string& title, const std::string& evidence)
{
    return {.severity = Severity::wrong,
            .title    = title,
            .evidence = evidence,
            .reason = "Intervals and epistemic uncertainty are computed from the differences between samples. Without "
                      "differences they report certainty even if the network has none.",
            .remedy = {.label = "Show how much samples differ", .view = view_of_intervals(run)}};
}

std::optional<Finding> check_draws_alike(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto& run = lint_case.run;
    if (!run.snapshot)
        return {};
    if (run.experiment->outputs) {
        const auto scored = predictions(lint_case, stop);
        if (!scored || scored->set.n_samples < 2 || scored->rows.empty()
            || std::ranges::any_of(scored->set.classes.mutual_information,
                                   [](double nats) { return nats > least_information; }))
            return {};
        return finding_of_draws(run, "All samples in the file are the same.",
                                counted(scored->set.n_samples, "sample") + " of "
                                    + counted(static_cast<long>(scored->rows.size()), "row")
                                    + " give the same probabilities: their epistemic uncertainty is below "
                                    + number(least_information) + " nats at each row, expected more at some.");
    }
    if (const auto* set = dynamic_cast<const SampleSet*>(run.snapshot->posterior.get()); set && set->n_draws() >= 2) {
        const auto repeats = repeats_of(*set);
        if (static_cast<double>(repeats.different) < fewest_different * static_cast<double>(repeats.all))
            return finding_of_draws(run, "The samples are copies of one another.",
                                    grouped_text(repeats.different) + " of " + counted(repeats.all, "sample")
                                        + " differ from the previous one, expected at least "
                                        + percent(fewest_different) + ".");
    }
    if (!run.snapshot->posterior->has_weight_noise())
        return {};
    double widest = 0;
    for (const auto& block : layers_at_end(run))
        if (block.kind == BlockKind::weights)   // means of biases may be 0
            widest = std::max(widest, block.median_relative_sd);
    if (widest >= least_relative_sd)
        return {};
    return finding_of_draws(run, "The weight samples hardly differ.",
                            "In every layer the median of σ/|μ| is below " + number(least_relative_sd)
                                + "; the largest is " + number(widest) + ".");
}

}   // namespace

LintRule draws_alike_rule()
{
    return {
        .id    = "draws_alike",
        .title = "Samples that do not differ",
        .what =
            "Wrong if fewer than a quarter of the samples of chains or an ensemble differ from the previous one, if "
            "the median of σ/|μ| is below 10⁻⁴ in every layer of a posterior over weights or of such samples, or if "
            "the samples of imported predictions agree at every row. Skipped for point estimates and dropout, whose "
            "weights have no spread.",
        .threshold = "chosen for Credence: a quarter of the samples, or σ/|μ| of 10⁻⁴",
        .check     = check_draws_alike};
}

}   // namespace credence
