// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "layers/kind.h"

namespace credence {

std::string text_of(ImageShape shape)
{
    return std::to_string(shape.channels) + "×" + std::to_string(shape.height) + "×" + std::to_string(shape.width);
}

void Flow::refuse(const std::string& sentence) const
{
    throw Error("network.layers", "Layer " + std::to_string(layer + 1) + " of the network: " + sentence);
}

void Flow::require_range(const char* what, long value, long least, long most) const
{
    if (value < least || value > most)
        refuse(std::string("found ") + what + " " + std::to_string(value) + ", expected " + std::to_string(least)
               + " to " + std::to_string(most) + ".");
}

void Flow::require_image(const char* what) const
{
    if (!is_image)
        refuse(std::string(what) + " needs an image, found a plain vector of " + std::to_string(shape.channels)
               + " numbers.");
}

void Flow::add_weights(long long count)
{
    weights += count;
    if (weights > largest_network)
        refuse("the network would have " + std::to_string(weights) + " weights, expected at most "
               + std::to_string(largest_network) + ".");
}

/// Sides are long long, so that nothing overflows before the check.
void Flow::become_image(long long channels, long long height, long long width)
{
    if (channels * height * width > largest_image)
        refuse("one example would become " + std::to_string(channels * height * width) + " numbers, expected at most "
               + std::to_string(largest_image) + ".");
    shape = {static_cast<int>(channels), static_cast<int>(height), static_cast<int>(width)};
}

}   // namespace credence
