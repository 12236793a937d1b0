// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/parallel.h"
#include "network/architecture.h"

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// Weights begin..end-1 of one block: at most `longest` of them, so that the results for a tile are
/// still in the L1 cache when the next loop (or the optimiser after the sink) reads them.
struct Piece {
    static constexpr std::size_t longest = 1024;
    std::size_t block                    = 0;
    std::size_t begin = 0, end = 0;   ///< in the flat weight vector

    std::size_t size() const { return end - begin; }
};

/// Division of a flat weight vector for elementwise passes: into chunks (one task each), and these
/// into tiles inside one block. It depends on the layout only, so sums in the order of the tiles
/// have the same bits for any number of threads; the tiles are the same for any chunk length.
class Pieces {
public:
    explicit Pieces(const ParameterLayout& layout);

    std::size_t n_weights() const { return n_weights_; }
    std::size_t count() const { return pieces_.size(); }
    std::size_t n_chunks() const { return first_.size() - 1; }
    std::size_t chunk() const { return chunk_; }   ///< weights of each but the last
    const Piece& operator[](std::size_t i) const { return pieces_[i]; }

    /// Calls body(first piece, last piece + 1) once for each chunk, in parallel.
    template <class Body>
    void for_each_chunk(const Body& body) const
    {
        parallel_chunks(n_weights_, chunk_, [&](std::size_t begin, std::size_t) {
            const std::size_t chunk = begin / chunk_;
            body(first_[chunk], first_[chunk + 1]);
        });
    }

private:
    std::size_t n_weights_, chunk_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> first_;   // [n_chunks + 1], index of the first tile of each chunk
};

}   // namespace credence
