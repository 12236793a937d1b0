// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/weight_passes.h"

#include "foundation/aligned_vector.h"

#include <algorithm>
#include <cassert>

namespace credence {
namespace {

constexpr std::size_t short_chunk = elementwise_chunk / 4;
static_assert(short_chunk % WeightTile::longest == 0);

/// Chunk length: shorter for a few chunks, to balance the threads; a single chunk stays on its
/// thread.
std::size_t chunk_of(std::size_t n_weights)
{
    return n_weights > elementwise_chunk && n_weights < 16 * elementwise_chunk ? short_chunk : elementwise_chunk;
}

}   // namespace

WeightTiles::WeightTiles(const ParameterLayout& layout) : n_weights_(layout.size()), chunk_(chunk_of(n_weights_))
{
    const auto next_cut = [](std::size_t i, std::size_t step) { return (i / step + 1) * step; };
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        const Block& block = layout.blocks[b];
        for (std::size_t begin = block.begin; begin < block.end();) {
            const std::size_t end = std::min(block.end(), next_cut(begin, WeightTile::longest));
            if (begin / chunk_ >= first_.size())
                first_.push_back(tiles_.size());
            tiles_.push_back({b, begin, end});
            begin = end;
        }
    }
    first_.push_back(tiles_.size());
}

namespace {

struct ThreadMemory {
    std::vector<aligned_vector<std::byte>> levels;   // one buffer per nesting depth
    std::size_t depth = 0;
};
thread_local ThreadMemory memory;

}   // namespace

Scratch::Scratch(std::size_t bytes)
{
    if (memory.depth == memory.levels.size())
        memory.levels.emplace_back();
    auto& buffer = memory.levels[memory.depth];
    if (buffer.size() < bytes)
        buffer = aligned_vector<std::byte>(bytes);
    ++memory.depth;
    next_ = buffer.data();
    left_ = bytes;
}

Scratch::~Scratch() { --memory.depth; }

std::byte* Scratch::allocate_bytes(std::size_t bytes)
{
    bytes = bytes_for<std::byte>(bytes);
    assert(bytes <= left_);
    std::byte* const taken = next_;
    next_ += bytes;
    left_ -= bytes;
    return taken;
}

}   // namespace credence
