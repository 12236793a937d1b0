// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/picture_input.h"

#include "foundation/error.h"
#include "images/image_resize.h"
#include "images/image_transforms.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr double darkest_light = 64, lightest_dark = 191, middle = 127.5;

/// The median colour of the border per channel. Only the border pixels are copied, since a
/// photograph has millions of others.
std::vector<float> border_of(std::span<const std::uint8_t> image, const ImageShape& shape)
{
    const auto h = static_cast<std::size_t>(shape.height), w = static_cast<std::size_t>(shape.width);
    std::vector<float> line;
    for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c)
        for (std::size_t y = 0; y < h; ++y) {
            const auto row   = image.subspan((c * h + y) * w, w);
            const bool whole = y == 0 || y + 1 == h;
            // First and last pixel only.
            const std::size_t by = whole ? 1 : std::max<std::size_t>(1, w - 1);
            for (std::size_t x = 0; x < w; x += by)
                line.push_back(row[x]);
        }
    const int n = static_cast<int>(line.size()) / shape.channels;
    return ground_of(line, {shape.channels, 1, n});
}

double brightness_of(const std::vector<float>& colour)
{
    return colour.size() == 3 ? 0.299 * static_cast<double>(colour[0]) + 0.587 * static_cast<double>(colour[1])
                                    + 0.114 * static_cast<double>(colour[2])
                              : static_cast<double>(colour.front());
}

void require_picture(std::span<const std::uint8_t> picture, const ImageShape& shape)
{
    if ((shape.channels != 1 && shape.channels != 3) || shape.height < 1 || shape.width < 1 || picture.empty())
        throw Error("found an empty image, expected at least one pixel.");
    const auto n = static_cast<std::size_t>(shape.channels) * static_cast<std::size_t>(shape.height)
                   * static_cast<std::size_t>(shape.width);
    if (picture.size() != n)
        throw Error("found " + std::to_string(picture.size()) + " numbers, expected " + std::to_string(n)
                    + ", one for each pixel and colour.");
}

/// The largest shape within `to` with the proportions of `from`.
ImageShape shape_within(const ImageShape& from, const ImageShape& to)
{
    const double shrink = std::min(static_cast<double>(to.height) / from.height,
                                   static_cast<double>(to.width) / from.width);
    const auto side     = [shrink](int n, int most) {
        return std::clamp(static_cast<int>(std::lround(shrink * n)), 1, most);
    };
    return {to.channels, side(from.height, to.height), side(from.width, to.width)};
}

/// Centres the picture on a larger canvas of one colour [channels].
std::vector<std::uint8_t> on_ground(std::span<const std::uint8_t> picture, const ImageShape& from, const ImageShape& to,
                                    const std::vector<std::uint8_t>& colour)
{
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    const auto top = size((to.height - from.height) / 2), left = size((to.width - from.width) / 2);
    std::vector<std::uint8_t> out;
    for (std::size_t c = 0; c < size(to.channels); ++c) {
        const auto plane = out.size();
        out.resize(plane + size(to.height) * size(to.width), colour[c]);
        for (std::size_t y = 0; y < size(from.height); ++y) {
            const auto row = picture.subspan((c * size(from.height) + y) * size(from.width), size(from.width));
            std::copy(row.begin(), row.end(),
                      out.begin() + static_cast<std::ptrdiff_t>(plane + (top + y) * size(to.width) + left));
        }
    }
    return out;
}

/// Converts one colour to another number of channels, as `resized` does.
std::vector<std::uint8_t> colour_for(const std::vector<float>& colour, int channels)
{
    std::vector<std::uint8_t> bytes;
    for (const float one : colour)
        bytes.push_back(static_cast<std::uint8_t>(std::clamp(std::lround(one), 0L, 255L)));
    return resized(bytes, {static_cast<int>(bytes.size()), 1, 1}, {channels, 1, 1});
}

}   // namespace

double border_brightness(std::span<const std::uint8_t> image, const ImageShape& shape)
{
    return brightness_of(border_of(image, shape));
}

std::optional<double> shared_ground(std::vector<double> borders)
{
    if (borders.empty())
        return {};
    std::sort(borders.begin(), borders.end());
    const auto n    = borders.size();
    const double q1 = borders[(n - 1) / 4], q3 = borders[(3 * (n - 1)) / 4];
    if (q3 < darkest_light || q1 > lightest_dark)
        return borders[(n - 1) / 2];
    return {};
}

PreparedPicture prepared_picture(std::span<const std::uint8_t> picture, const ImageShape& from, const ImageShape& to,
                                 std::optional<double> ground, std::optional<bool> invert)
{
    require_picture(picture, from);
    const auto colour = border_of(picture, from);
    const auto inner  = ground ? shape_within(from, to) : to;
    PreparedPicture out;
    out.border   = brightness_of(colour);
    out.widened  = inner != to;
    out.inverted = invert.value_or(ground && (out.border > middle) != (*ground > middle));
    out.pixels   = resized(picture, from, inner);
    if (out.widened)
        out.pixels = on_ground(out.pixels, inner, to, colour_for(colour, to.channels));
    if (out.inverted)
        out.pixels = inverted(out.pixels);
    return out;
}

std::vector<std::uint8_t> inverted(std::span<const std::uint8_t> image)
{
    std::vector<std::uint8_t> out(image.size());
    std::transform(image.begin(), image.end(), out.begin(),
                   [](std::uint8_t p) { return static_cast<std::uint8_t>(255 - p); });
    return out;
}

}   // namespace credence
