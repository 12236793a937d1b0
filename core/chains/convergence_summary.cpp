// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence_summary.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "random/noise.h"

#include <string>

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
    if (options.shuffles < 0)
        throw Error("Convergence: found " + std::to_string(options.shuffles) + " shuffles, expected 0 or more.");

    const std::size_t S = n_kept(draws.n_chains, draws.n_draws);
    std::vector<std::vector<std::uint32_t>> orders;
    for (int k = 0; k < options.shuffles; ++k)
        orders.push_back(permutation({options.seed, Stream::figures, static_cast<std::uint32_t>(k)}, S));
    const auto scores    = std::make_shared<const NormalScores>(S);
    const auto agrees    = [&](const DiagnosticValue& r_hat) { return r_hat && *r_hat < options.threshold; };
    const auto undefined = DiagnosticValue(Undefined::too_few_draws, "Convergence: not worked out.");

    ConvergenceSummary out;
    out.quantities.assign(draws.n_quantities, {undefined, undefined, undefined, undefined});
    std::vector<std::size_t> shuffled_below(draws.n_quantities, 0);   // shuffles after which R̂ is below the threshold
    parallel_chunks(draws.n_quantities, quantities_a_task, [&](std::size_t begin, std::size_t end) {
        ConvergenceOfDraws convergence_of(draws.n_chains, draws.n_draws, scores);
        std::vector<double> values(draws.n_chains * draws.n_draws);
        for (std::size_t q = begin; q < end && !stop.stop_requested(); ++q) {
            draws.write(q, values);
            out.quantities[q] = convergence_of(values);
            if (is_judged(out.quantities[q].r_hat))
                for (const auto& order : orders)
                    shuffled_below[q] += agrees(convergence_of.r_hat_reordered(order));
        }
    });
    if (stop.stop_requested())
        return {};

    std::size_t below = 0, below_when_shuffled = 0;
    for (std::size_t q = 0; q < draws.n_quantities; ++q) {
        out.n_judged += is_judged(out.quantities[q].r_hat);
        below += agrees(out.quantities[q].r_hat);
        below_when_shuffled += shuffled_below[q];
    }
    if (out.n_judged > 0) {
        const auto judged = static_cast<double>(out.n_judged);
        out.share_below   = static_cast<double>(below) / judged;
        if (options.shuffles > 0)
            out.floor_share = static_cast<double>(below_when_shuffled) / judged / options.shuffles;
    }
    out.worst_r_hat       = largest_r_hat(out.quantities);
    out.smallest_bulk_ess = best(
        out.quantities, [](const auto& c) { return c.bulk_ess.value(); }, std::less<>());
    out.smallest_tail_ess = best(
        out.quantities, [](const auto& c) { return c.tail_ess.value(); }, std::less<>());
    return out;
}

}   // namespace credence
