// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_resize.h"

#include <algorithm>
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

}   // namespace credence
