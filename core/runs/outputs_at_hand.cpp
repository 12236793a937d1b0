// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/outputs_at_hand.h"

namespace credence {

std::span<const std::uint8_t> OutputsAtHand::image(std::size_t row) const
{
    const bool first  = row < own.n;
    const auto& part  = first ? own : other;
    const auto number = first ? row : row - own.n;
    if (!part.images || number >= part.n || !own.images || part.images->channels != own.images->channels
        || part.images->height != own.images->height || part.images->width != own.images->width)
        return {};
    return part.images->image(number);
}

}   // namespace credence
