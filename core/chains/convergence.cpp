// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence.h"

#include "chains/chain_agreement.h"

#include <algorithm>
#include <utility>

namespace credence {

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
    if (r_hat_of_chains(whole(z_)).reason() == Undefined::standing_still)
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

}   // namespace credence
