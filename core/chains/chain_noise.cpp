// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_noise.h"

namespace credence {
namespace {

constexpr std::uint64_t numbers_of_a_transition = 1u << 23;
constexpr std::uint32_t purposes                = 4;   // one in reserve

}   // namespace

ChainNoise::ChainNoise(std::uint64_t seed, std::uint32_t chain, Purpose purpose)
    : key_{seed, Stream::samplers, chain * purposes + static_cast<std::uint32_t>(purpose)}
{}

void ChainNoise::begin(long transition)
{
    next_normal_ = next_block_ = static_cast<std::uint64_t>(transition) * numbers_of_a_transition;
    used_                      = at_once;
}

void ChainNoise::serialise(StateBytes& state)
{
    state.value(next_normal_);
    state.value(next_block_);
    state.within(used_, 0, at_once);
    if (used_ < at_once)
        state.values(std::span<double>(block_));
}

void ChainNoise::normals(std::span<double> out)
{
    standard_normals(key_, next_normal_, out);
    next_normal_ += (out.size() + 63) / 64 * 64;
}

double ChainNoise::uniform()
{
    if (used_ == at_once) {
        uniforms(key_, next_block_, std::span<double>(block_));
        next_block_ += at_once;
        used_ = 0;
    }
    return block_[used_++];
}

}   // namespace credence
