// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/trainer.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// What the options of a training make of single parameters and blocks: rates, weight decay, and what moves them. Not for use outside trainer.cpp.
namespace credence {

/// The means of all bias blocks: parameter i of the first group belongs to weight i, in every family.
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

/// Weight decay of each block in one of the draws of a step; empty: that of all is options.l2.
inline std::vector<double> weight_decay_of_blocks(const TrainerOptions& options, const ParameterLayout& layout)
{
    std::vector<double> decay;
    if (!options.layer_l2.empty())
        for (const Block& block : layout.blocks)
            decay.push_back(of_layer(options.layer_l2, block.layer) / std::max(1, options.samples_per_step));
    return decay;
}

/// Rows of a minibatch of these data.
inline int batch_of(const TrainerOptions& options, const SplitData& data)
{
    return static_cast<int>(std::min<std::size_t>(std::max(1, options.batch_size), data.training.n_rows));
}

/// Minibatches of an epoch.
inline int batches_of(std::size_t rows, int batch_size)
{
    return static_cast<int>((rows + batch_size - 1) / batch_size);
}

/// Rows of the largest minibatch. @param batch  those of the first
inline int largest_batch(int batch, const TrainerOptions& options, const std::vector<RowsFrom>& later)
{
    for (const RowsFrom& rows : later)
        batch = std::max(batch, batch_of(options, *rows.data));
    return batch;
}

/// What moves the parameters. @param loss_gradient  where that of the mean loss stands after each backward pass
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

}   // namespace credence
