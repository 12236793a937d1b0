// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/fresh_draws.h"

#include "posterior/sample_set.h"

#include <algorithm>

namespace credence {
namespace {

/// Some draws of a set, sharing its memory.
class PartOfSet final : public Posterior {
public:
    PartOfSet(std::shared_ptr<const Posterior> whole, const SampleSet& set, std::vector<std::size_t> members)
        : Posterior(set.layout()), whole_(std::move(whole)), set_(set), members_(std::move(members))
    {}

    NoiseIn noise_in() const override { return members_.size() > 1 ? NoiseIn::weights : NoiseIn::nothing; }
    std::optional<std::size_t> different_draws() const override { return members_.size(); }
    Draw<float> make_draw() const override { return set_.make_draw(); }
    void draw(NoiseKey key, Draw<float>& out) const override
    {
        const auto weights = set_.draw_number(members_[key.index % members_.size()]);
        out.key            = key;
        std::copy(weights.begin(), weights.end(), out.weights.begin());
    }
    std::span<const float> means() const override { return set_.means(); }
    void moments(std::span<float> mean, std::span<float> sd) const override { set_.moments(mean, sd); }
    Covariance covariance() const override { return set_.covariance(); }
    LayerUncertainty describe() const override { return set_.describe(); }
    std::span<const float> numbers() const override { return set_.numbers(); }

private:
    std::shared_ptr<const Posterior> whole_;   // owns the set
    const SampleSet& set_;
    std::vector<std::size_t> members_;
};

}   // namespace

DrawsApart draws_apart(const std::shared_ptr<const Posterior>& posterior, int draws)
{
    const auto* set = dynamic_cast<const SampleSet*>(posterior.get());
    if (!set || set->n_draws() < 2)
        return {posterior, posterior};
    const std::size_t n = set->n_draws(), taken = std::min(static_cast<std::size_t>(std::max(1, draws)), n / 2);
    std::vector<std::size_t> gradient, fresh;
    for (std::size_t i = 0; i < n; ++i)
        (gradient.size() < taken && i == gradient.size() * n / taken ? gradient : fresh).push_back(i);
    return {std::make_shared<PartOfSet>(posterior, *set, std::move(gradient)),
            std::make_shared<PartOfSet>(posterior, *set, std::move(fresh))};
}

}   // namespace credence
