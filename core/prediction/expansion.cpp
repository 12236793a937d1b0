// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/expansion.h"

#include "foundation/parallel.h"

namespace credence {

template <class T>
void Expansion<T>::subtract_means(std::span<T> weights) const
{
    parallel_chunks(weights.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            weights[i] -= means[i];
    });
}

template <class T>
Expansion<T> expansion_around_means(const BasicPosterior<T>& posterior)
{
    Expansion<T> expansion{posterior.means()};
    const auto& blocks = posterior.layout().blocks;
    while (blocks[2 * static_cast<std::size_t>(expansion.lowest_layer)].begin < posterior.first_uncertain_weight())
        ++expansion.lowest_layer;
    return expansion;
}

template struct Expansion<float>;
template struct Expansion<double>;
template Expansion<float> expansion_around_means(const Posterior&);
template Expansion<double> expansion_around_means(const BasicPosterior<double>&);

}   // namespace credence
