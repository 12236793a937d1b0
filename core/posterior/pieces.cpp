// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pieces.h"

#include <algorithm>

namespace credence {

Pieces::Pieces(const ParameterLayout& layout) : n_weights_(layout.size())
{
    static_assert(elementwise_chunk % Piece::longest == 0);
    const auto next_cut = [](std::size_t i, std::size_t step) { return (i / step + 1) * step; };
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        const Block& block = layout.blocks[b];
        for (std::size_t begin = block.begin; begin < block.end();) {
            const std::size_t end = std::min(block.end(), next_cut(begin, Piece::longest));
            if (begin / elementwise_chunk >= first_.size())
                first_.push_back(pieces_.size());
            pieces_.push_back({b, begin, end});
            begin = end;
        }
    }
    first_.push_back(pieces_.size());
}

}   // namespace credence
