// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/prior.h"
#include "posterior/variational_family.h"
#include "training/optimizer.h"
#include "training/trainer.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

// Derives learning rates, weight decay and updaters of individual parameters and blocks from the
// training options. Used by trainer.cpp only.

namespace credence {

/// Position of a step within the epochs of a training. Counting restarts when the rows change. Used
/// by trainer.cpp only.
struct EpochCount {
    int minibatches = 1;   ///< per epoch
    long changed_at = 0;   ///< step after which the rows last changed
    long begun      = 0;   ///< epochs started before that, each with its own permutation
    double before   = 0;   ///< epochs completed before that, with fractions

    /// Number of epochs after `done` steps, with fractions.
    double at(long done) const { return before + static_cast<double>(done - changed_at) / minibatches; }
    /// Index of the next minibatch within its epoch, from 0.
    int minibatch(long done) const { return static_cast<int>((done - changed_at) % minibatches); }
    /// Index of the permutation of the rows that it is taken from.
    std::uint32_t permutation(long done) const
    {
        return static_cast<std::uint32_t>(begun + (done - changed_at) / minibatches);
    }
    /// Restarts the count after this step; an unfinished epoch is abandoned.
    void change(long step, int current)
    {
        begun += (step - changed_at + minibatches - 1) / minibatches;
        before      = at(step);
        changed_at  = step;
        minibatches = current;
    }
};

/// Returns the learning-rate factor of the means of all bias blocks. In every family, parameter i
/// of the first group belongs to weight i.
inline std::vector<RateFactor> rate_factors(const VariationalFamily<float>& posterior, double bias_rate)
{
    std::vector<RateFactor> factors;
    const ParameterGroup means = posterior.groups().front();
    assert(means.kind == ParameterGroup::Kind::mean && means.block < 0);
    if (bias_rate != 1)
        for (const Block& block : posterior.layout().blocks)
            if (block.kind == BlockKind::biases)
                factors.push_back({means.begin + block.begin, means.begin + block.end(), bias_rate});
    return factors;
}

/// Returns the weight decay of each block for one weight sample; empty: options.l2 for all blocks.
inline std::vector<double> weight_decay_of_blocks(const TrainerOptions& options, const ParameterLayout& layout)
{
    std::vector<double> decay;
    if (!options.layer_l2.empty())
        for (const Block& block : layout.blocks)
            decay.push_back(of_layer(options.layer_l2, block.layer) / std::max(1, options.samples_per_step));
    return decay;
}

/// Minibatch size for these data.
inline int batch_of(const TrainerOptions& options, const SplitData& data)
{
    return static_cast<int>(std::min<std::size_t>(std::max(1, options.batch_size), data.training.n_rows));
}

/// Minibatches per epoch.
inline int batches_of(std::size_t rows, int batch_size)
{
    return static_cast<int>((rows + batch_size - 1) / batch_size);
}

/// Returns the size of the largest minibatch.
/// @param batch  size of the first minibatch
inline int largest_batch(int batch, const TrainerOptions& options, const std::vector<RowsFrom>& later)
{
    for (const RowsFrom& rows : later)
        batch = std::max(batch, batch_of(options, *rows.data));
    return batch;
}

/// Returns the updater of the parameters.
/// @param loss_gradient  contains the gradient of the mean loss after each backward pass
inline std::unique_ptr<Updater<float>> updater_of(const TrainerOptions& options,
                                                  const VariationalFamily<float>& posterior, std::size_t n_examples,
                                                  int batch_size, std::span<const float> loss_gradient)
{
    const std::size_t n = posterior.parameters().size();
    auto factors        = rate_factors(posterior, options.bias_rate);
    if (!options.langevin)
        return std::make_unique<Optimizer<float>>(options.optimizer, n, std::move(factors));
    const ChainTarget target{options.seed, static_cast<double>(n_examples), static_cast<double>(batch_size)};
    if (loss_gradient.size() != n || options.samples_per_step > 1)
        loss_gradient = {};
    return std::make_unique<Langevin<float>>(*options.langevin, target, n, std::move(factors), loss_gradient);
}

/// Learns the parameters of a prior together with those of a family, with the same optimiser and
/// learning rate. Used by trainer.cpp only.
/// Each parameter's gradient is the mean over the K weights it applies to, (1/K) ∂KL/∂φ, which is
/// between −1 and 1. K can be millions; with the sum, the prior would be unstable compared with the
/// family's own derivatives. Both gradients are 0 where the prior fits the posterior best.
class PriorLearning {
public:
    PriorLearning(const VariationalFamily<float>& posterior, const Prior& prior, Complexity::Kind kind)
        : kind_(kind), derivatives_(posterior.prior_parameters().size()), gradient_(derivatives_.size())
    {
        if (!on())
            return;
        weights_per_learned_ = weights_per_learned(prior, posterior.layout());
        if (kind == Complexity::Kind::closed) {
            mean_.resize(posterior.layout().size());
            sd_.resize(mean_.size());
        }
    }

    bool on() const { return !gradient_.empty(); }

    /// Copies the parameters learned by the family into the prior. Call it before using the prior,
    /// since parameters can be restored from a file.
    void update(Prior& prior, const VariationalFamily<float>& posterior) const
    {
        if (on())
            set_learned_parameters(prior, posterior.prior_parameters());
    }

    /// Adds the gradient of one of `draws` weight samples of a step, at the parameters used for
    /// that sample.
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
            gradient_[j] += static_cast<float>(std::clamp(derivatives_[j] / weights_per_learned_[j], -1.0, 1.0)
                                               / draws);
    }

    /// Ends the step: updates the parameters with the updater's learning rate.
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
    std::vector<double> derivatives_, weights_per_learned_ = {};
    std::vector<float> gradient_;   // accumulated in this step
    std::vector<float> mean_ = {}, sd_ = {};
};

}   // namespace credence
