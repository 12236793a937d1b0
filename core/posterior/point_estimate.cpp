// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/point_estimate.h"

#include "posterior/options.h"
#include "posterior/prior_terms.h"
#include "posterior/weight_passes.h"

namespace credence {

template <class T>
PointEstimate<T>::PointEstimate(const ParameterLayout& layout, std::span<const float> means)
    : VariationalFamily<T>(layout, means), tiles_(layout)
{}

template <class T>
std::vector<ParameterGroup> PointEstimate<T>::groups() const
{
    return {{ParameterGroup::Kind::mean, 0, tiles_.n_weights(), -1}};
}

template <class T>
void PointEstimate<T>::draw(NoiseKey key, Draw<T>& out) const
{
    out.key = key;
    transform(out);
}

template <class T>
void PointEstimate<T>::transform(Draw<T>& out) const
{
    parallel_chunks(tiles_.n_weights(), tiles_.chunk(), [&](std::size_t begin, std::size_t end) {
        std::copy(this->parameters_.begin() + static_cast<std::ptrdiff_t>(begin),
                  this->parameters_.begin() + static_cast<std::ptrdiff_t>(end),
                  out.weights.begin() + static_cast<std::ptrdiff_t>(begin));
    });
}

template <class T>
void PointEstimate<T>::pullback(const Draw<T>&, std::span<const T> loss_gradient, const Complexity& complexity,
                                GradientSink<T> sink) const
{
    if (complexity.l2 == 0 && complexity.block_l2.empty()) {
        parallel_chunks(loss_gradient.size(), tiles_.chunk(), [&](std::size_t begin, std::size_t end) {
            sink(begin, loss_gradient.subspan(begin, end - begin));
        });
        return;
    }
    const auto lambda_of = [&](std::size_t block) {
        return static_cast<T>(complexity.block_l2.empty() ? complexity.l2 : complexity.block_l2[block]);
    };
    tiles_.for_each_chunk([&](std::size_t first, std::size_t last) {
        alignas(64) T gradient[WeightTile::longest];
        for (std::size_t p = first; p < last; ++p) {
            const WeightTile& tile = tiles_[p];
            const T lambda         = lambda_of(tile.block);
            const T* const w       = this->parameters_.data() + tile.begin;
            const T* const g       = loss_gradient.data() + tile.begin;
#pragma omp simd
            for (std::size_t k = 0; k < tile.size(); ++k)
                gradient[k] = g[k] + lambda * w[k];
            sink(tile.begin, std::span<const T>(gradient, tile.size()));
        }
    });
}

template <class T>
void PointEstimate<T>::moments(std::span<float> mean, std::span<float> sd) const
{
    for (std::size_t i = 0; i < tiles_.n_weights(); ++i)
        mean[i] = static_cast<float>(this->parameters_[i]);
    std::fill(sd.begin(), sd.end(), 0.0f);
}

template <class T>
LayerUncertainty PointEstimate<T>::describe() const
{
    LayerUncertainty layers;
    for (const Block& block : this->layout_.blocks) {
        BlockUncertainty entry{.block = block.name, .kind = block.kind, .tau = {}, .rho = {}, .dropout_rate = {}};
        entry.mean_abs = mean_of_absolute(this->parameters_.data() + block.begin, block.size);
        layers.push_back(std::move(entry));
    }
    return layers;
}

template <class T>
BernoulliDropout<T>::BernoulliDropout(const ParameterLayout& layout, std::span<const float> means, double rate)
    : PointEstimate<T>(layout, means), rate_(rate)
{
    require_dropout_rate(rate);
}

template <class T>
LayerUncertainty BernoulliDropout<T>::describe() const
{
    LayerUncertainty layers = PointEstimate<T>::describe();
    for (BlockUncertainty& layer : layers)
        if (layer.kind == BlockKind::weights)
            layer.dropout_rate = rate_;
    return layers;
}

template class PointEstimate<float>;
template class PointEstimate<double>;
template class BernoulliDropout<float>;
template class BernoulliDropout<double>;

template <class T>
void ChainState<T>::pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                             GradientSink<T> sink) const
{
    if (complexity.prior == nullptr || complexity.weight == 0)
        return PointEstimate<T>::pullback(draw, loss_gradient, {}, sink);
    const auto& tiles = this->tiles();
    const T weight    = static_cast<T>(complexity.weight);
    tiles.for_each_chunk([&](std::size_t first, std::size_t last) {
        alignas(64) T gradient[WeightTile::longest];
        for (std::size_t p = first; p < last; ++p) {
            const WeightTile& tile = tiles[p];
            const T* const g       = loss_gradient.data() + tile.begin;
            prior_pull(*complexity.prior, tile.block, tile.begin, this->parameters_.data() + tile.begin, tile.size(),
                       gradient);
#pragma omp simd
            for (std::size_t k = 0; k < tile.size(); ++k)
                gradient[k] = g[k] + weight * gradient[k];
            sink(tile.begin, std::span<const T>(gradient, tile.size()));
        }
    });
}

template class ChainState<float>;
template class ChainState<double>;

}   // namespace credence
