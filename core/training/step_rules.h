// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/trainer.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// Derives rates, weight decay and updaters of single parameters and blocks from the options of a
/// training. Not for use outside trainer.cpp.
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

/// Weight decay of each block for one weight sample; empty: options.l2 for all blocks.
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

/// Size of the largest minibatch. @param batch  size of the first
inline int largest_batch(int batch, const TrainerOptions& options, const std::vector<RowsFrom>& later)
{
    for (const RowsFrom& rows : later)
        batch = std::max(batch, batch_of(options, *rows.data));
    return batch;
}

/// Returns the updater of the parameters. @param loss_gradient  holds the gradient of the mean loss
/// after each backward pass
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
