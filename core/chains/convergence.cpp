// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence.h"

#include "chains/chain_diagnostics.h"
#include "chains/scalar_draws.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"

#include <boost/math/special_functions/erf.hpp>
#include <boost/sort/pdqsort/pdqsort.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace credence {

NormalScores::NormalScores(std::size_t n_draws) : z_(n_draws > 0 ? 2 * n_draws - 1 : 0, 0)
{
    for (std::size_t i = 0; i < z_.size() / 2; ++i) {   // the middle score is 0, the upper half mirrors the lower
        const double r        = 0.5 * static_cast<double>(i + 2);
        const double p        = (r - 0.375) / (static_cast<double>(n_draws) + 0.25);
        z_[i]                 = -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);   // Φ⁻¹(p)
        z_[z_.size() - 1 - i] = -z_[i];
    }
}

void SortedDraws::sort(std::span<const double> draws)
{
    sorted_.resize(draws.size());
    for (std::size_t i = 0; i < draws.size(); ++i)
        sorted_[i] = {draws[i], static_cast<std::uint32_t>(i)};
    boost::sort::pdqsort_branchless(sorted_.begin(), sorted_.end(),
                                    [](const Draw& a, const Draw& b) { return a.value < b.value; });
}

double SortedDraws::median() const
{
    const std::size_t n = sorted_.size();
    const double high   = at(n / 2);
    return n % 2 != 0 ? high : at(n / 2 - 1) / 2 + high / 2;
}

double SortedDraws::not_above_quantile(double p) const
{
    return at(std::min(static_cast<std::size_t>(static_cast<double>(size() - 1) * p), size() - 1));
}

void SortedDraws::rank(std::span<const Draw> sorted, std::span<std::uint32_t> out)
{
    for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
        while (end < sorted.size() && sorted[end].value == sorted[first].value)
            ++end;
        for (std::size_t k = first; k < end; ++k)   // ranks first + 1 … end
            out[sorted[k].at] = static_cast<std::uint32_t>(first + 1 + end);
    }
}

void SortedDraws::twice_ranks(std::span<std::uint32_t> out) const { rank(sorted_, out); }

void SortedDraws::twice_folded_ranks(std::span<std::uint32_t> out)
{
    const double middle = median();
    folded_.clear();
    std::size_t high = size() / 2, low = high;   // not yet processed: [0, low) and [high, size)
    while (low > 0 || high < size()) {
        const double below = low > 0 ? std::fabs(at(low - 1) - middle) : 0;
        const double above = high < size() ? std::fabs(at(high) - middle) : 0;
        if (high == size() || (low > 0 && below <= above))
            folded_.push_back({below, sorted_[--low].at});
        else
            folded_.push_back({above, sorted_[high++].at});
    }
    rank(folded_, out);
}

RankHistogram rank_histogram(const ScalarDraws& draws, std::size_t n_bins)
{
    draws.check();
    if (n_bins == 0)
        throw Error("Rank histogram: found 0 bins, expected at least 1.");
    RankHistogram out{.n_chains = draws.n_chains, .n_bins = n_bins};
    if (const auto refused = why_not_judged("Rank histogram", draws)) {
        out.why_not = refused->why_not();
        return out;
    }
    out.expected = static_cast<double>(draws.n_draws) / static_cast<double>(n_bins);
    out.counts.assign(draws.n_chains * n_bins, 0);
    const std::size_t S = draws.values.size();
    std::vector<std::uint32_t> twice(S);
    SortedDraws(draws.values).twice_ranks(twice);
    for (std::size_t i = 0; i < S; ++i)
        ++out.counts[i / draws.n_draws * n_bins + (twice[i] - 1) * n_bins / (2 * S)];   // integers: exact
    return out;
}

ConvergenceOfDraws::ConvergenceOfDraws(std::size_t n_chains, std::size_t n_draws,
                                       std::shared_ptr<const NormalScores> scores)
    : n_chains_(n_chains), n_draws_(n_draws), scores_(std::move(scores))
{
    const std::size_t S = n_kept(n_chains, n_draws);
    if (!scores_)
        scores_ = std::make_shared<const NormalScores>(S);
    twice_ranks_.resize(S);
    for (auto* memory : {&kept_, &z_, &folded_z_, &work_})
        memory->resize(S);
}

Convergence ConvergenceOfDraws::operator()(std::span<const double> values)
{
    const ScalarDraws draws{values, n_chains_, n_draws_};
    draws.check();
    if (const auto why = why_not_judged("Convergence", draws))
        return {*why, *why, *why, *why, *why};
    split_chains(draws, kept_);
    sorted_.sort(kept_);

    const auto scores_of_ranks = [&](std::vector<double>& z) {
        std::transform(twice_ranks_.begin(), twice_ranks_.end(), z.begin(),
                       [&](std::uint32_t twice) { return scores_->of_twice_rank(twice); });
    };
    sorted_.twice_ranks(twice_ranks_);
    scores_of_ranks(z_);
    sorted_.twice_folded_ranks(twice_ranks_);
    scores_of_ranks(folded_z_);

    const double factor = unit_factor(kept_);
    std::transform(kept_.begin(), kept_.end(), work_.begin(), [=](double x) { return factor * x; });
    return {.r_hat       = r_hat(z_, folded_z_),
            .plain_r_hat = r_hat_of_chains(halves(work_)),
            .bulk_ess    = ess_of_chains(halves(z_), gamma_),
            .tail_ess    = tail_ess(kept_),
            .agreement   = agreement()};
}

DiagnosticValue ConvergenceOfDraws::r_hat(std::span<const double> z, std::span<const double> folded_z) const
{
    auto place = r_hat_of_chains(halves(z));
    if (!place)
        return place;
    auto spread = r_hat_of_chains(halves(folded_z));
    if (!spread)
        return spread.reason() == Undefined::constant ? place : spread;
    return *spread > *place ? spread : place;
}

DiagnosticValue ConvergenceOfDraws::tail_ess(const std::vector<double>& kept)
{
    std::optional<double> smaller;
    for (const double p : {0.05, 0.95}) {
        const double edge = sorted_.not_above_quantile(p);
        std::transform(kept.begin(), kept.end(), work_.begin(), [=](double x) { return x <= edge ? 1.0 : 0.0; });
        if (const auto ess = ess_of_chains(halves(work_), gamma_))
            smaller = smaller ? std::min(*smaller, *ess) : *ess;
    }
    if (!smaller)
        return {Undefined::constant, "Tail ESS: no draw is outside the quantiles at 5 % and 95 %."};
    return *smaller;
}

DiagnosticValue ConvergenceOfDraws::agreement()
{
    const auto whole = [&](std::span<const double> z) { return ScalarDraws{z, n_chains_, 2 * (n_draws_ / 2)}; };
    if (r_hat_of_chains(whole(z_)).reason() == Undefined::stuck)
        return 0.0;
    const auto place  = probability_of_chain_means(whole(z_), gamma_),
               spread = probability_of_chain_means(whole(folded_z_), gamma_);
    if (!place || !spread)
        return place ? (spread.reason() == Undefined::constant ? place : spread) : place;
    return std::min(1.0, 2 * std::min(*place, *spread));
}

Convergence convergence(const ScalarDraws& draws)
{
    return ConvergenceOfDraws(draws.n_chains, draws.n_draws)(draws.values);
}

namespace {

constexpr std::size_t quantities_a_task =
    8;   // enough to share tables and memory, few enough to keep every thread busy

bool is_judged(const DiagnosticValue& r_hat) { return r_hat || r_hat.reason() == Undefined::stuck; }

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
        if (all[q].r_hat.reason() == Undefined::stuck)
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
    const auto undefined = DiagnosticValue(Undefined::too_few_draws, "Convergence: not computed.");

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

    std::size_t below = 0, n_compared = 0;
    double smallest = 1;
    for (std::size_t q = 0; q < draws.n_quantities; ++q) {
        out.n_judged += is_judged(out.quantities[q].r_hat);
        below += agrees(out.quantities[q].r_hat);
        if (const auto& agreement = out.quantities[q].agreement) {
            ++n_compared;
            smallest = std::min(smallest, *agreement);
        }
    }
    if (out.n_judged > 0)
        out.share_below = static_cast<double>(below) / static_cast<double>(out.n_judged);
    if (n_compared > 0 && 2 * n_compared >= out.n_judged)
        out.agreement = std::min(1.0, smallest * static_cast<double>(n_compared));
    out.worst_r_hat       = largest_r_hat(out.quantities);
    out.smallest_bulk_ess = best(
        out.quantities, [](const auto& c) { return c.bulk_ess.value(); }, std::less<>());
    out.smallest_tail_ess = best(
        out.quantities, [](const auto& c) { return c.tail_ess.value(); }, std::less<>());
    return out;
}

MonteCarloErrors monte_carlo_errors(const ScalarDraws& draws)
{
    draws.check();
    if (const auto refused = why_not_judged("Monte Carlo error", draws))
        return {*refused, *refused, *refused, *refused, *refused};
    OwnedDraws halves   = split_chains(draws);
    auto& x             = halves.values;
    const auto S        = static_cast<double>(x.size());
    const double factor = unit_factor(x);
    for (double& value : x)
        value *= factor;
    MeanAutocovariance work;
    const auto ess    = ess_of_chains(halves.view(), work);
    const double mean = lane_mean(x);
    for (double& value : x)
        value = (value - mean) * (value - mean);
    const double m2 = lane_mean(x), sd = std::sqrt(S / (S - 1) * m2) / factor;
    if (!ess)   // only the middle draws, dropped by splitting, differ
        return {mean / factor, sd, ess, ess, ess};

    const auto ess_of_squares = ess_of_chains(halves.view(), work);
    const double varies       = squares_about(m2, x) / S;   // m_4 − m_2²
    return {mean / factor, sd, ess, sd / std::sqrt(*ess),
            ess_of_squares
                ? DiagnosticValue(std::sqrt(varies / *ess_of_squares) / (2 * std::sqrt(m2)) / factor)
                : DiagnosticValue(Undefined::constant,
                                  "Error of the standard deviation: all draws have the same distance from the mean.")};
}

}   // namespace credence
