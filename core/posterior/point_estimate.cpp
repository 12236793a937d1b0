// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/point_estimate.h"

#include "posterior/options.h"
#include "posterior/prior_terms.h"
#include "posterior/weight_passes.h"

namespace credence {

template <class T>
PointEstimate<T>::PointEstimate(const ParameterLayout& layout, std::span<const float> means)
    : VariationalFamily<T>(layout, means), pieces_(layout)
{}

template <class T>
std::vector<ParameterGroup> PointEstimate<T>::groups() const
{
    return {{ParameterGroup::Kind::mean, 0, pieces_.n_weights(), -1}};
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
    parallel_chunks(pieces_.n_weights(), pieces_.chunk(), [&](std::size_t begin, std::size_t end) {
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
        parallel_chunks(loss_gradient.size(), pieces_.chunk(), [&](std::size_t begin, std::size_t end) {
            sink(begin, loss_gradient.subspan(begin, end - begin));
        });
        return;
    }
    const auto lambda_of = [&](std::size_t block) {
        return static_cast<T>(complexity.block_l2.empty() ? complexity.l2 : complexity.block_l2[block]);
    };
    pieces_.for_each_chunk([&](std::size_t first, std::size_t last) {
        alignas(64) T gradient[Piece::longest];
        for (std::size_t p = first; p < last; ++p) {
            const Piece& piece = pieces_[p];
            const T lambda     = lambda_of(piece.block);
            const T* const w   = this->parameters_.data() + piece.begin;
            const T* const g   = loss_gradient.data() + piece.begin;
#pragma omp simd
            for (std::size_t k = 0; k < piece.size(); ++k)
                gradient[k] = g[k] + lambda * w[k];
            sink(piece.begin, std::span<const T>(gradient, piece.size()));
        }
    });
}

template <class T>
void PointEstimate<T>::moments(std::span<float> mean, std::span<float> sd) const
{
    for (std::size_t i = 0; i < pieces_.n_weights(); ++i)
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
    const auto& pieces = this->pieces();
    const T weight     = static_cast<T>(complexity.weight);
    pieces.for_each_chunk([&](std::size_t first, std::size_t last) {
        alignas(64) T gradient[Piece::longest];
        for (std::size_t p = first; p < last; ++p) {
            const Piece& piece = pieces[p];
            const T* const g   = loss_gradient.data() + piece.begin;
            prior_pull(*complexity.prior, piece.block, piece.begin, this->parameters_.data() + piece.begin,
                       piece.size(), gradient);
#pragma omp simd
            for (std::size_t k = 0; k < piece.size(); ++k)
                gradient[k] = g[k] + weight * gradient[k];
            sink(piece.begin, std::span<const T>(gradient, piece.size()));
        }
    });
}

template class ChainState<float>;
template class ChainState<double>;

}   // namespace credence
