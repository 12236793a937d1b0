// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/lint.h"
#include "posterior/sample_set.h"
#include "study/fields.h"
#include "views/chain_draws.h"

#include <algorithm>
#include <cmath>
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
    return {.severity = Severity::error,
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
    if (const auto* set = sample_set_of(*run.snapshot->posterior); set && set->n_draws() >= 2) {
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
        .what  = "Error in three cases: fewer than a quarter of the samples of chains or an ensemble differ from the "
                 "previous one; the median of σ/|μ| is below 10⁻⁴ in every layer of a posterior over weights or of "
                 "such samples; or the samples of imported predictions agree at every row. Skipped for point estimates "
                 "and dropout, whose weights have no spread.",
        .threshold = "chosen for Credence: a quarter of the samples, or σ/|μ| of 10⁻⁴",
        .check     = check_draws_alike};
}

namespace {

constexpr double many_divergences = 0.01;   // share of the samples

std::optional<Finding> check_divergences(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || chains->divergent == 0)
        return {};
    const double share = static_cast<double>(chains->divergent) / static_cast<double>(chains->all_draws());
    const double aimed = std::get<double>(field("posterior.target_acceptance").get(lint_case.run.experiment->study));
    const std::string target = aimed < 0.95 ? "0.95" : plain_text((1 + aimed) / 2);
    return Finding{
        .severity = share > many_divergences ? Severity::error : Severity::warning,
        .title    = share > many_divergences ? "Many trajectories diverged." : "Some trajectories diverged.",
        .evidence = grouped_text(chains->divergent) + " of " + counted(chains->all_draws(), "sample") + " ("
                    + percent(share) + "), expected 0.",
        .reason =
            "A trajectory diverges where the posterior curves more sharply than the steps can follow. Samples from "
            "such regions are missing, which biases the results.",
        .remedy = {.label    = "Raise the target acceptance to " + target,
                   .settings = {{"posterior.target_acceptance", target}}}};
}

}   // namespace

LintRule divergences_rule()
{
    return {.id    = "divergences",
            .title = "Divergent trajectories",
            .what  = "NUTS and HMC: warning if any trajectory diverged after the warm-up, error if more than 1 % did "
                     "(Betancourt 2017).",
            .idea  = "Betancourt 2017",
            .threshold = "chosen for Credence: any divergence; 1 % counts as an error",
            .check     = check_divergences};
}

namespace {

std::optional<Finding> check_r_hat(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains)
        return {};
    if (chains->too_few_samples() && chains->worth().short_share <= most_short)   // otherwise rule ess reports it
        throw Error("R̂ is above 1.01 for " + percent(chains->share_above())
                    + " of the quantities, but there are too few samples to tell whether the chains disagree.");
    if (!chains->disagree())
        return {};
    const double above = chains->share_above();
    return Finding{
        .severity = above > 0.5 ? Severity::error : Severity::warning,
        .title    = "The chains do not agree on the function.",
        .evidence = "R̂ is above " + number(view_support::agreeing_r_hat) + " for " + percent(above)
                    + " of the predictions at " + counted(static_cast<long>(chains->n_rows), "row") + " (worst "
                    + chains->worst_r_hat() + "). If the chains agreed, the probability of such a difference would be "
                    + (*chains->summary.agreement < 1e-10 ? "below 10⁻¹⁰" : number(*chains->summary.agreement))
                    + ", expected at least " + number(chance_level)
                    + ". The test allows for the autocorrelation of each chain.",
        .reason = "The chains have not yet forgotten their starting points, or are in different modes. Together, their "
                  "samples do not represent the posterior.",
        .remedy = {.label = "Show the convergence of the chains", .view = "chain_convergence"}};
}

}   // namespace

LintRule r_hat_rule()
{
    return {
        .id    = "r_hat",
        .title = "Chains that do not agree (R̂)",
        .what =
            "NUTS and HMC: R̂ of the class probabilities, or of the function's value, at up to 50 rows, compared with "
            "1.01. R̂ of short or autocorrelated chains exceeds 1.01 even if the chains agree. The rule therefore "
            "tests whether the chain means differ. The test is an analysis of variance of block means of ranks and of "
            "distances from the median, with blocks four times as long as the autocorrelation time and Bonferroni's "
            "correction over all quantities. The rule has a finding if R̂ is above 1.01 for more than 5 % of the "
            "quantities and the probability of such a difference is below 0.1 %. It is an error if R̂ is above 1.01 "
            "for more than half, otherwise a warning. If the chains are too short for four blocks, rule `ess` reports "
            "that there are too few samples to tell. R̂ of weights is not used, since hidden units can be permuted. "
            "Skipped for stochastic-gradient chains, whose few stored states come from one path.",
        .idea      = "Vehtari et al. 2021 (R̂ and 1.01)",
        .threshold = "chosen for Credence by simulation: a probability of 0.1 %",
        .check     = check_r_hat};
}

namespace {

constexpr double largest_factor = 20;   // a longer run is no remedy above it

/// Returns settings that draw `factor` times as many samples. A run that its stop rule ended needs a
/// later stop. Without a setting to change, the finding leads to the convergence of the chains.
Remedy more_samples(const Study& study, std::size_t n_draws, double factor)
{
    const auto &draws = field("posterior.draws"), &stop_ess = field("posterior.stop_ess");
    const auto set    = static_cast<double>(std::get<long>(draws.get(study)));
    const double made = static_cast<double>(n_draws), ended_at = std::get<double>(stop_ess.get(study));
    const bool rule = ended_at > 0 || std::get<double>(field("posterior.stop_rhat").get(study)) > 0;
    Remedy remedy{.label = "Draw " + number(factor) + " times as many samples"};
    if (made < set && rule)
        remedy.settings.emplace_back("posterior.stop_ess", plain_text(std::max(enough_draws, factor * ended_at)));
    if (factor * made > set)
        remedy.settings.emplace_back("posterior.draws", std::to_string(std::lround(factor * made)));
    if (factor <= largest_factor && factor * made <= draws.max && !remedy.settings.empty())
        return remedy;
    return {.label = "Show the convergence of the chains", .view = "chain_convergence"};
}

std::optional<Finding> check_ess(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    const auto worth  = chains ? chains->worth() : ChainEvidence::Worth();
    if (worth.short_share <= most_short)
        return {};
    const double factor = std::max(2.0, std::ceil(enough_draws / std::min(worth.bulk, worth.tail)));
    const bool unclear  = chains->too_few_samples();
    return Finding{
        .severity = Severity::warning,
        .title    = unclear ? "There are too few effective samples to tell whether the chains agree."
                            : "There are too few effective samples.",
        .evidence = "The effective sample size is " + number(worth.bulk) + " for means and " + number(worth.tail)
                    + " for quantiles in the worst case at " + counted(static_cast<long>(chains->n_rows), "row")
                    + ", expected at least " + number(enough_draws) + "; " + percent(worth.short_share)
                    + " of the quantities fall short, with " + counted(chains->all_draws(), "sample") + "."
                    + (unclear ? " R̂ is above 1.01 for " + percent(chains->share_above())
                                     + " of them; with so few effective samples this can be chance."
                               : std::string()),
        .reason =
            "Successive states of a chain are correlated. With few effective samples the Monte Carlo error of means "
            "and intervals is large, and R̂ exceeds 1.01 even if the chains agree."
            + (factor <= largest_factor
                   ? std::string()
                   : " About " + number(factor)
                         + " times as many samples would be needed, so a longer run alone does not help. Let the "
                           "chains mix better: adapt the step size in a longer warm-up, run more chains, standardise "
                           "the inputs, or choose another prior or a smaller network."),
        .remedy = more_samples(lint_case.run.experiment->study, chains->n_draws, factor)};
}

}   // namespace

LintRule ess_rule()
{
    return {
        .id    = "ess",
        .title = "Too small an effective sample size",
        .what =
            "NUTS and HMC: bulk and tail ESS of the predictions at up to 50 rows, compared with 400. Warning if more "
            "than 5 % of the quantities fall short. If R̂ is above 1.01 and the chains are too short to rule out "
            "chance, the finding mentions it. The remedy draws as many times more samples as the smallest ESS falls "
            "short of 400. Above 20 times, it is better mixing instead. Skipped for stochastic-gradient chains, which "
            "store fewer states by design and are biased by their step size first.",
        .idea      = "Vehtari et al. 2021",
        .threshold = "Vehtari et al. 2021: 400; chosen for Credence: 5 % of the quantities, and 20 times",
        .check     = check_ess};
}

namespace {

std::optional<Finding> check_e_bfmi(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || chains->e_bfmi.empty())
        return {};
    const double smallest = std::ranges::min(chains->e_bfmi);
    if (smallest >= smallest_e_bfmi)
        return {};
    return Finding{
        .severity = Severity::warning,
        .title    = "A chain changes its energy too slowly.",
        .evidence = "E-BFMI is " + number(smallest) + " for the worst of "
                    + counted(static_cast<long>(chains->e_bfmi.size()), "chain") + ", expected at least "
                    + number(smallest_e_bfmi) + ".",
        .reason = "Resampling the momentum changes the energy only a little, so the chain explores the tails of the "
                  "posterior slowly.",
        .remedy = {.label = "Show the traces of the chains", .view = "chain_traces"}};
}

}   // namespace

LintRule e_bfmi_rule()
{
    return {.id        = "e_bfmi",
            .title     = "Chains that change their energy slowly (E-BFMI)",
            .what      = "NUTS and HMC: warning if the E-BFMI of a chain is below 0.3 (Betancourt 2016).",
            .idea      = "Betancourt 2016",
            .threshold = "Betancourt 2016: 0.3",
            .check     = check_e_bfmi};
}

namespace {

constexpr double many_at_limit = 0.01;   // share of the samples

std::optional<Finding> check_depth_limit(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || lint_case.run.experiment->study.posterior.family != "nuts")
        return {};
    const double share = static_cast<double>(chains->at_depth_limit) / static_cast<double>(chains->all_draws());
    const auto worth   = chains->worth();
    if (share < many_at_limit || worth.short_share <= most_short)   // cut off, but the ESS is sufficient
        return {};
    const long limit = std::get<long>(field("posterior.depth_limit").get(lint_case.run.experiment->study));
    return Finding{
        .severity = Severity::warning,
        .title    = "Trajectories reach the depth limit before a U-turn.",
        .evidence = grouped_text(chains->at_depth_limit) + " of " + counted(chains->all_draws(), "sample") + " ("
                    + percent(share) + ") reached depth " + std::to_string(limit) + ", expected less than "
                    + percent(many_at_limit) + "; the effective sample size is as low as "
                    + number(std::min(worth.bulk, worth.tail)) + ", expected " + number(enough_draws) + ".",
        .reason = "Such a trajectory was cut off while it still moved away from its start, so the chain explores more "
                  "slowly than NUTS could.",
        .remedy = {.label    = "Raise the depth limit by 2",
                   .settings = {{"posterior.depth_limit", std::to_string(limit + 2)}}}};
}

}   // namespace

LintRule depth_limit_rule()
{
    return {
        .id    = "depth_limit",
        .title = "Trajectories at the depth limit",
        .what  = "NUTS: warning if at least 1 % of the trajectories reached the depth limit instead of making a U-turn "
                 "(Hoffman and Gelman 2014) and the effective sample size is too small. The limit costs efficiency but "
                 "causes no bias. The rule has no finding if the effective sample size is large anyway, as on a curve "
                 "with little noise.",
        .idea  = "Hoffman and Gelman 2014",
        .threshold = "chosen for Credence: 1 % of the trajectories",
        .check     = check_depth_limit};
}

namespace {

constexpr double few_divergences = 0.01;   // share of the samples

std::optional<Finding> check_funnel_unseen(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || static_cast<double>(chains->divergent) > few_divergences * static_cast<double>(chains->all_draws()))
        return {};
    const bool slow_energy = std::ranges::any_of(chains->e_bfmi, [](double value) { return value < smallest_e_bfmi; });
    const bool disagree    = chains->disagree();
    if (!slow_energy && !disagree)
        return {};
    return Finding{
        .severity = Severity::warning,
        .title    = "Few divergences do not prove that the chains explored the whole posterior.",
        .evidence = grouped_text(chains->divergent) + " of " + counted(chains->all_draws(), "sample")
                    + " diverged, but "
                    + (slow_energy ? "the E-BFMI of a chain is below " + number(smallest_e_bfmi) : std::string())
                    + (slow_energy && disagree ? " and " : "")
                    + (disagree ? "R̂ is at worst " + chains->worst_r_hat() + ", expected at most 1.01" : std::string())
                    + ".",
        .reason = "A chain that never enters a narrow region of the posterior has no divergence to report. Chains from "
                  "different starting points show whether it was explored; the number of divergences does not.",
        .remedy = {.label = "Show the traces of the chains", .view = "chain_traces"}};
}

}   // namespace

LintRule funnel_unseen_rule()
{
    return {.id    = "funnel_unseen",
            .title = "Few divergences do not prove full exploration",
            .what  = "NUTS and HMC: warning if at most 1 % of the trajectories diverged but the chains disagree (rule "
                     "`r_hat`) or change their energy slowly (rule `e_bfmi`).",
            .idea  = "Betancourt 2017",
            .threshold = "those of the rules r_hat and e_bfmi",
            .check     = check_funnel_unseen};
}

}   // namespace credence
