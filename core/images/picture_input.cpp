// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/picture_input.h"

#include "foundation/error.h"
#include "images/image_transforms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace credence {
namespace {

/// Weights along one axis: target pixel i is a weighted sum of the source pixels from first[i] on.
/// In units of 1 / to of a source pixel, all weights are integers that sum to `from`. All sums are
/// therefore exact, independent of the compiler's choice of instructions.
struct Weights {
    std::size_t from = 0;
    std::vector<std::size_t> first;
    std::vector<std::vector<std::uint64_t>> share;
};
Weights weights(std::size_t from, std::size_t to)
{
    Weights w{from, {}, {}};
    for (std::size_t i = 0; i < to; ++i) {
        const std::size_t begin = i * from, end = begin + from;
        w.first.push_back(begin / to);
        auto& share = w.share.emplace_back();
        for (std::size_t k = begin / to; k * to < end; ++k)
            share.push_back(std::min(end, (k + 1) * to) - std::max(begin, k * to));
    }
    return w;
}

/// Rounds to the nearest integer, halves up.
std::uint8_t rounded(std::uint64_t sum, std::uint64_t divisor)
{
    return static_cast<std::uint8_t>((2 * sum + divisor) / (2 * divisor));
}

/// Resizes one plane: first along the rows, then along the columns.
void resize_plane(const std::uint8_t* plane, const ImageShape& from, const Weights& rows, const Weights& columns,
                  std::uint8_t* out)
{
    const std::size_t height = rows.first.size(), width = columns.first.size(),
                      from_width = static_cast<std::size_t>(from.width);
    std::vector<std::uint64_t> narrow(static_cast<std::size_t>(from.height) * width);
    for (std::size_t y = 0; y < static_cast<std::size_t>(from.height); ++y)
        for (std::size_t x = 0; x < width; ++x) {
            std::uint64_t sum = 0;
            for (std::size_t k = 0; k < columns.share[x].size(); ++k)
                sum += columns.share[x][k] * plane[y * from_width + columns.first[x] + k];
            narrow[y * width + x] = sum;
        }
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            std::uint64_t sum = 0;
            for (std::size_t k = 0; k < rows.share[y].size(); ++k)
                sum += rows.share[y][k] * narrow[(rows.first[y] + k) * width + x];
            out[y * width + x] = rounded(sum, rows.from * columns.from);
        }
}

std::vector<std::uint8_t> with_channels(std::vector<std::uint8_t> image, int channels_in, int channels)
{
    if (channels_in == channels)
        return image;
    const std::size_t n = image.size() / static_cast<std::size_t>(channels_in);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(channels) * n);
    for (std::size_t i = 0; i < n; ++i) {
        if (channels == 1)
            out[i] = rounded(299u * image[i] + 587u * image[n + i] + 114u * image[2 * n + i], 1000);
        else
            for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c)
                out[c * n + i] = image[i];
    }
    return out;
}

}   // namespace

std::vector<std::uint8_t> resized(std::span<const std::uint8_t> image, const ImageShape& from, const ImageShape& to)
{
    if (from.height == to.height && from.width == to.width)
        return with_channels({image.begin(), image.end()}, from.channels, to.channels);
    const auto size            = [](int n) { return static_cast<std::size_t>(n); };
    const Weights rows         = weights(size(from.height), size(to.height)),
                  columns      = weights(size(from.width), size(to.width));
    const std::size_t plane_in = size(from.height) * size(from.width), plane_out = size(to.height) * size(to.width);
    std::vector<std::uint8_t> out(size(from.channels) * plane_out);
    for (std::size_t c = 0; c < size(from.channels); ++c)
        resize_plane(image.data() + c * plane_in, from, rows, columns, out.data() + c * plane_out);
    return with_channels(std::move(out), from.channels, to.channels);
}

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
