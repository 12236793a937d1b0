// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain.h"

#include "foundation/error.h"
#include "foundation/flush_denormals.h"
#include "foundation/number_text.h"

#include <cmath>
#include <limits>

namespace credence {
namespace {

std::variant<Nuts, Hmc> sampler_of(const ChainOptions& options, std::size_t dimension)
{
    if (const auto* hmc = std::get_if<HmcOptions>(&options.sampler))
        return std::variant<Nuts, Hmc>(std::in_place_type<Hmc>, dimension, *hmc, options.faults);
    return std::variant<Nuts, Hmc>(std::in_place_type<Nuts>, dimension, std::get<NutsOptions>(options.sampler),
                                   options.faults);
}

}   // namespace

Chain::Chain(std::unique_ptr<LogDensity> density, std::span<const double> start, const ChainOptions& options)
    : density_(std::move(density)), options_(options), hamiltonian_(*density_, Metric::unit(density_->dimension())),
      sampler_(sampler_of(options, density_->dimension())), warmup_(density_->dimension(), options.warmup),
      current_(density_->dimension()), scratch_(density_->dimension()),
      noise_(options.seed, options.number, ChainNoise::Purpose::transitions),
      search_noise_(options.seed, options.number, ChainNoise::Purpose::step_size_search),
      last_finite_(density_->dimension())
{
    const std::string who = "Chain " + std::to_string(options.number + 1) + ": the ";
    if (start.size() != density_->dimension())
        throw Error(who + "start has " + std::to_string(start.size()) + " numbers, expected "
                    + std::to_string(density_->dimension()) + ".");
    const FlushDenormals flush;
    current_.theta.assign(start.begin(), start.end());
    hamiltonian_.evaluate(current_);
    last_.log_density = current_.log_density;
    if (!std::isfinite(current_.log_density))
        throw Error(who + "log density at the start is " + plain_text(current_.log_density)
                    + ", expected a finite number.");
    warmup_.begin(hamiltonian_, current_, scratch_, search_noise_);
    divergences_.reserve(options.kept_divergences);
}

const Transition& Chain::step()
{
    const FlushDenormals flush;
    const bool warming = warming_up();
    noise_.begin(transitions_);
    last_ = std::visit(
        [&](auto& sampler) {
        return sampler.transition(hamiltonian_, current_, warmup_.step_size(), noise_, last_finite_);
        },
        sampler_);
    gradients_ += last_.leapfrog_steps;
    if (warming)
        warmup_.learn(last_, hamiltonian_, current_, scratch_, search_noise_);
    else if (last_.divergent && divergences_.size() < options_.kept_divergences)
        divergences_.push_back({transitions_, last_finite_});
    ++transitions_;
    return last_;
}

void Chain::serialise(StateBytes& state)
{
    state.section("chain");
    hamiltonian_.serialise(state);
    warmup_.serialise(state);
    state.values(std::span(current_.theta));
    state.values(std::span(current_.momentum));
    state.values(std::span(current_.velocity));
    state.values(std::span(current_.gradient));
    state.value(current_.log_density);
    state.value(current_.energy);
    search_noise_.serialise(state);   // the noise of transitions restarts with each transition
    state.value(last_.log_density);
    state.value(last_.energy);
    state.value(last_.acceptance);
    state.value(last_.step_size);
    state.value(last_.depth);
    state.value(last_.leapfrog_steps);
    state.value(last_.divergent);
    state.value(last_.at_depth_limit);
    state.values(std::span(last_finite_));
    state.list(divergences_, [&](StateBytes& s, Divergence& divergence) {
        s.value(divergence.transition);
        divergence.theta.resize(density_->dimension());
        s.values(std::span(divergence.theta));
    });
    state.within(transitions_, 0, std::numeric_limits<long>::max());
    state.within(gradients_, 0, std::numeric_limits<long>::max());
}

}   // namespace credence
