// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/scratch.h"

#include "foundation/aligned_vector.h"

#include <cassert>

namespace credence {
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

std::byte* Scratch::take_bytes(std::size_t bytes)
{
    bytes = bytes_for<std::byte>(bytes);
    assert(bytes <= left_);
    std::byte* const taken = next_;
    next_ += bytes;
    left_ -= bytes;
    return taken;
}

}   // namespace credence
