// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/kept_draws.h"

#include "foundation/finite.h"

#include <algorithm>
#include <numeric>

namespace credence::method_parts {

KeptDraws::KeptDraws(const ParameterLayout& layout, int n_chains, std::size_t draws, int at_once)
    : layout_(layout), n_chains_(n_chains), at_once_(at_once), draws_(draws),
      memory_(std::make_shared<aligned_vector<float>>(static_cast<std::size_t>(n_chains) * draws * layout.size())),
      counts_(static_cast<std::size_t>(n_chains))
{
    origin_.chains.resize(static_cast<std::size_t>(n_chains) * draws);
    origin_.steps.resize(origin_.chains.size());
}

std::size_t KeptDraws::slot(int chain, std::size_t i) const
{
    const int first    = chain / at_once_ * at_once_;
    const auto beside  = static_cast<std::size_t>(std::min(at_once_, n_chains_ - first));
    const auto earlier = static_cast<std::size_t>(first) * draws_;
    return earlier + i * beside + static_cast<std::size_t>(chain - first);
}

void KeptDraws::keep(std::span<const float> weights, int chain, long step)
{
    std::size_t& of_chain = counts_[static_cast<std::size_t>(chain)];
    if (of_chain == draws_ || !all_finite(weights))
        return;
    const std::size_t to = slot(chain, of_chain);
    std::copy(weights.begin(), weights.end(), memory_->begin() + static_cast<std::ptrdiff_t>(to * layout_.size()));
    origin_.chains[to] = chain;
    origin_.steps[to]  = step;
    ++of_chain;
}

void KeptDraws::serialise(StateBytes& state)
{
    state.section("draws");
    std::size_t used = 0;   // slots, some of them still empty
    for (int k = 0; k < n_chains_; ++k) {
        std::size_t& of_chain = counts_[static_cast<std::size_t>(k)];
        state.within(of_chain, 0, static_cast<long>(draws_));
        if (of_chain > 0)
            used = std::max(used, slot(k, of_chain - 1) + 1);
    }
    state.values(std::span(origin_.chains).first(used));
    state.values(std::span(origin_.steps).first(used));
    state.lasting(std::span(*memory_).first(used * layout_.size()));
    set_.reset();
}

std::size_t KeptDraws::count() const { return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0}); }

std::shared_ptr<const SampleSet> KeptDraws::set() const
{
    std::size_t whole = 0;
    for (int first = 0; first < n_chains_; first += at_once_) {
        const auto begin         = counts_.begin() + first;
        const auto end           = counts_.begin() + std::min(first + at_once_, n_chains_);
        const std::size_t of_all = *std::min_element(begin, end);
        whole += of_all * static_cast<std::size_t>(end - begin);
        if (of_all < draws_)
            break;
    }
    if (whole == 0)
        return nullptr;
    if (!set_ || set_->n_draws() != whole) {
        const auto n = static_cast<std::ptrdiff_t>(whole);
        SampleOrigin origin;
        origin.chains.assign(origin_.chains.begin(), origin_.chains.begin() + n);
        origin.steps.assign(origin_.steps.begin(), origin_.steps.begin() + n);
        set_ = std::make_shared<SampleSet>(layout_, memory_, whole, std::move(origin));
    }
    return set_;
}

std::shared_ptr<const SampleSet> KeptDraws::in_order() const
{
    if (n_chains_ == 1)
        return set();
    if (count() == 0)
        return nullptr;
    aligned_vector<float> draws;
    draws.reserve(count() * layout_.size());
    SampleOrigin origin;
    for (int k = 0; k < n_chains_; ++k)
        for (std::size_t i = 0; i < count(k); ++i) {
            const auto weights = draw(k, i);
            draws.insert(draws.end(), weights.begin(), weights.end());
            origin.chains.push_back(k);
            origin.steps.push_back(step(k, i));
        }
    return std::make_shared<SampleSet>(layout_, std::move(draws), std::move(origin));
}

std::shared_ptr<const SampleSet> set_of_states(const ParameterLayout& layout,
                                               const std::vector<std::span<const float>>& weights, SampleOrigin origin)
{
    aligned_vector<float> draws;
    draws.reserve(weights.size() * layout.size());
    for (const auto of_chain : weights)
        draws.insert(draws.end(), of_chain.begin(), of_chain.end());
    return std::make_shared<SampleSet>(layout, std::move(draws), std::move(origin));
}

}   // namespace credence::method_parts
