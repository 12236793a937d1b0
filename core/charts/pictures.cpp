// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pictures.h"

#include "foundation/error.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

Picture empty_picture(std::size_t n, const ImageShape& shape)
{
    if (shape.size() != static_cast<int>(n) || (shape.channels != 1 && shape.channels != 3))
        throw Error("A picture has " + std::to_string(n) + " numbers for " + std::to_string(shape.channels)
                    + " channels of " + std::to_string(shape.height) + " × " + std::to_string(shape.width)
                    + " pixels, expected one per pixel, in 1 or 3 channels.");
    Picture picture{.columns = shape.width, .rows = shape.height, .channels = shape.channels};
    picture.height = static_cast<double>(shape.height) / shape.width;
    return picture;
}

}   // namespace

Picture picture_of(std::span<const float> values, const ImageShape& shape)
{
    Picture picture = empty_picture(values.size(), shape);
    picture.pixels.reserve(values.size());
    for (const float value : values)
        picture.pixels.push_back(
            static_cast<std::uint8_t>(std::lround(std::isfinite(value) ? std::clamp(value, 0.0f, 255.0f) : 0.0f)));
    return picture;
}

Picture picture_of(std::span<const std::uint8_t> values, const ImageShape& shape)
{
    Picture picture = empty_picture(values.size(), shape);
    picture.pixels.assign(values.begin(), values.end());
    return picture;
}

Panel picture_panel(std::string title, std::vector<Picture> pictures, int per_row, int caption_lines)
{
    constexpr double size = 0.88, edge = 0.04, line = 0.2;
    const double aspect  = pictures.empty() ? 1 : pictures.front().height / pictures.front().width;
    const double room    = caption_lines > 0 ? 0.05 + line * caption_lines : 0;
    const double pitch   = aspect + room;
    const int rows       = std::max(1, (static_cast<int>(pictures.size()) + per_row - 1) / per_row);
    const double centred = rows == 1 ? (per_row - static_cast<double>(pictures.size())) / 2
                                     : 0;   // a short single row is centred
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        pictures[i].x      = centred + static_cast<double>(i % static_cast<std::size_t>(per_row));
        pictures[i].y      = -pitch * static_cast<double>(i / static_cast<std::size_t>(per_row));
        pictures[i].width  = size;
        pictures[i].height = size * aspect;
    }
    const double half = size * aspect / 2 + edge;
    Panel panel{.title        = std::move(title),
                .x            = {.range = Range{-0.5, per_row - 0.5}, .hidden = true},
                .y            = {.range = Range{-pitch * (rows - 1) - half - room, half}, .hidden = true},
                .series       = {},
                .legend       = false,
                .equal_aspect = true};
    panel.series.push_back(Pictures{.name = "", .pictures = std::move(pictures), .caption_room = room});
    return panel;
}

void add_side_picture(Chart& chart, Picture picture, const std::string& caption)
{
    picture.caption = caption;
    Panel panel     = picture_panel(
            "", {std::move(picture)}, 1,
        caption.empty() ? 0 : 1 + static_cast<int>(std::count(caption.begin(), caption.end(), '\n')));
    panel.weight = 0.34;
    chart.panels.insert(chart.panels.begin(), std::move(panel));
    chart.columns = std::max(2, chart.columns + 1);
}

}   // namespace credence
