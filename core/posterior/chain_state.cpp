// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/chain_state.h"

#include "posterior/prior_terms.h"

namespace credence {

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
