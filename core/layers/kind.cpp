// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/kind.h"

#include "foundation/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace credence {
namespace {

constexpr const char* blanks = " \t\r\n";

[[noreturn]] void refuse_layer(std::size_t layer, const std::string& sentence)
{
    throw Error("network.layers", "Layer " + std::to_string(layer + 1) + " of the network: " + sentence);
}

}   // namespace

std::string text_of(ImageShape shape)
{
    return std::to_string(shape.channels) + "×" + std::to_string(shape.height) + "×" + std::to_string(shape.width);
}

void Flow::refuse(const std::string& sentence) const { refuse_layer(layer, sentence); }

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

void Flow::require_fit(ImageShape in) const
{
    const auto rest = [&](int side) { return (side + saved.step - 1) / saved.step; };
    if (!is_image)
        refuse("found a layer for plain vectors after 'save', expected 'add' before it.");
    if (shape.height != rest(in.height) || shape.width != rest(in.width))
        refuse("its output " + text_of(shape) + " does not fit the image saved by 'save', expected the sides "
               + std::to_string(rest(in.height)) + "×" + std::to_string(rest(in.width))
               + ": pad it by half of its kernel.");
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

bool LayerJson::has(const char* name) const { return json_.contains(name); }
int LayerJson::whole(const char* name) const { return json_.at(name).get<int>(); }
int LayerJson::whole(const char* name, int if_missing) const { return json_.value(name, if_missing); }
double LayerJson::number(const char* name) const { return json_.at(name).get<double>(); }
std::string LayerJson::word(const char* name) const { return json_.at(name).get<std::string>(); }
void LayerJson::refuse(const std::string& sentence) const { refuse_layer(layer_, sentence); }

LayerWords::LayerWords(std::string_view text, std::size_t layer) : text_(text), layer_(layer)
{
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = text.find_first_not_of(blanks, i);
        if (begin == std::string_view::npos)
            break;
        i = std::min(text.find_first_of(blanks, begin), text.size());
        words_.push_back(text.substr(begin, i - begin));
    }
}

std::string_view LayerWords::take()
{
    const std::string_view found = word();
    if (more())
        ++next_;
    return found;
}

bool LayerWords::take(std::string_view expected)
{
    if (word() != expected)
        return false;
    take();
    return true;
}

template <class Number>
Number LayerWords::read(const char* what)
{
    const std::string_view found = take();
    Number value{};
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (error != std::errc{} || end != found.data() + found.size() || found.empty())
        refuse(std::string("expected ") + what
               + (found.empty() ? " after it." : ", which '" + std::string(found) + "' is not."));
    return value;
}

int LayerWords::whole(const char* what) { return read<int>(what); }
double LayerWords::number(const char* what) { return read<double>(what); }

void LayerWords::refuse(const std::string& why) const
{
    const std::size_t begin = text_.find_first_not_of(blanks), end = text_.find_last_not_of(blanks);
    const std::string shown(begin == std::string_view::npos ? std::string_view{}
                                                            : text_.substr(begin, end - begin + 1));
    refuse_layer(layer_, "found '" + shown + "', " + why);
}

}   // namespace credence
