// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/learned_prior.h"
#include "posterior/variational_family.h"
#include "training/updater.h"

#include <algorithm>
#include <span>
#include <vector>

namespace credence {

/// Learns the parameters of a prior together with those of a family, with the same optimiser and
/// learning rate. Not for use outside trainer.cpp.
/// Each parameter moves by the mean over the K weights it applies to, (1/K) ∂KL/∂φ, between −1 and
/// 1. K can be millions, and the sum would make the prior unstable compared with the family's own
/// derivatives. Where the prior fits the posterior best, both are 0.
class PriorLearning {
public:
    PriorLearning(const VariationalFamily<float>& posterior, const Prior& prior, Complexity::Kind kind)
        : kind_(kind), derivatives_(posterior.prior_parameters().size()), gradient_(derivatives_.size())
    {
        if (!on())
            return;
        weights_behind_ = weights_behind_learned(prior, posterior.layout());
        if (kind == Complexity::Kind::closed) {
            mean_.resize(posterior.layout().size());
            sd_.resize(mean_.size());
        }
    }

    bool on() const { return !gradient_.empty(); }

    /// Sets the prior to the parameters learned by the family. Call it before using the prior,
    /// since parameters can be restored from a file.
    void update(Prior& prior, const VariationalFamily<float>& posterior) const
    {
        if (on())
            set_learned_parameters(prior, posterior.prior_parameters());
    }

    /// Adds one of `draws` weight samples of a step, with the parameters used for it.
    void add(const Prior& prior, const VariationalFamily<float>& posterior, const Draw<float>& draw, int draws)
    {
        if (!on())
            return;
        if (kind_ == Complexity::Kind::closed) {
            posterior.moments(mean_, sd_);
            closed_prior_gradient(prior, posterior.layout(), mean_, sd_, derivatives_);
        } else {
            sampled_prior_gradient<float>(prior, posterior.layout(), draw.weights, derivatives_);
        }
        for (std::size_t j = 0; j < gradient_.size(); ++j)
            gradient_[j] += static_cast<float>(std::clamp(derivatives_[j] / weights_behind_[j], -1.0, 1.0) / draws);
    }

    /// Ends the step with the learning rate of the updater.
    void apply(Updater<float>& updater, VariationalFamily<float>& posterior)
    {
        if (!on())
            return;
        const auto all = posterior.parameters();
        updater.apply(all.size() - gradient_.size(), gradient_, all);
        guard_learned_parameters(all.last(gradient_.size()));
        std::fill(gradient_.begin(), gradient_.end(), 0.0f);
    }

private:
    Complexity::Kind kind_;
    std::vector<double> derivatives_, weights_behind_ = {};
    std::vector<float> gradient_;   // accumulated in this step
    std::vector<float> mean_ = {}, sd_ = {};
};

}   // namespace credence
