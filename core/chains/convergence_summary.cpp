// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence_summary.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"

#include <algorithm>

namespace credence {

namespace {

constexpr std::size_t quantities_a_task =
    8;   // enough to share tables and memory, few enough to keep every thread busy

bool is_judged(const DiagnosticValue& r_hat) { return r_hat || r_hat.reason() == Undefined::standing_still; }

/// The index of the best of the defined values, the lowest one on ties.
template <class ValueOf, class Better>
std::optional<std::size_t> best(const std::vector<Convergence>& all, const ValueOf& value_of, const Better& better)
{
    std::optional<std::size_t> found;
    for (std::size_t q = 0; q < all.size(); ++q)
        if (value_of(all[q]) && (!found || better(*value_of(all[q]), *value_of(all[*found]))))
            found = q;
    return found;
}

std::optional<std::size_t> largest_r_hat(const std::vector<Convergence>& all)
{
    for (std::size_t q = 0; q < all.size(); ++q)
        if (all[q].r_hat.reason() == Undefined::standing_still)
            return q;
    return best(
        all, [](const Convergence& c) { return c.r_hat.value(); }, std::greater<>());
}

}   // namespace

std::optional<ConvergenceSummary> convergence_summary(const ManyDraws& draws, const SummaryOptions& options,
                                                      std::stop_token stop)
{
    if (!(options.threshold > 1))
        throw Error("Convergence: the threshold of R̂ is " + plain_text(options.threshold)
                    + ", expected a number above 1.");
    const auto scores    = std::make_shared<const NormalScores>(n_kept(draws.n_chains, draws.n_draws));
    const auto agrees    = [&](const DiagnosticValue& r_hat) { return r_hat && *r_hat < options.threshold; };
    const auto undefined = DiagnosticValue(Undefined::too_few_draws, "Convergence: not worked out.");

    ConvergenceSummary out;
    out.quantities.assign(draws.n_quantities, {undefined, undefined, undefined, undefined, undefined});
    parallel_chunks(draws.n_quantities, quantities_a_task, [&](std::size_t begin, std::size_t end) {
        ConvergenceOfDraws convergence_of(draws.n_chains, draws.n_draws, scores);
        std::vector<double> values(draws.n_chains * draws.n_draws);
        for (std::size_t q = begin; q < end && !stop.stop_requested(); ++q) {
            draws.write(q, values);
            out.quantities[q] = convergence_of(values);
        }
    });
    if (stop.stop_requested())
        return {};

    std::size_t below = 0, told = 0;
    double smallest = 1;
    for (std::size_t q = 0; q < draws.n_quantities; ++q) {
        out.n_judged += is_judged(out.quantities[q].r_hat);
        below += agrees(out.quantities[q].r_hat);
        const auto& agreement = out.quantities[q].agreement;
        out.n_too_short += is_judged(out.quantities[q].r_hat) && agreement.reason() == Undefined::too_few_draws;
        if (agreement) {
            ++told;
            smallest = std::min(smallest, *agreement);
        }
    }
    if (out.n_judged > 0)
        out.share_below = static_cast<double>(below) / static_cast<double>(out.n_judged);
    if (told > 0 && 2 * told >= out.n_judged)
        out.agreement = std::min(1.0, smallest * static_cast<double>(told));
    out.worst_r_hat       = largest_r_hat(out.quantities);
    out.smallest_bulk_ess = best(
        out.quantities, [](const auto& c) { return c.bulk_ess.value(); }, std::less<>());
    out.smallest_tail_ess = best(
        out.quantities, [](const auto& c) { return c.tail_ess.value(); }, std::less<>());
    return out;
}

}   // namespace credence
