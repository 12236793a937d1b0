// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_morph.h"

#include "foundation/error.h"
#include "images/image_transforms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace credence {

namespace {

constexpr std::size_t grains = 240;
constexpr double dot_sd      = 0.6;   // pixels, in addition to the bilinear dot

using Place = std::array<float, 2>;

/// Positions of particles of equal mass. The image is scanned in a serpentine order, so that
/// neighbours in the scan are neighbours in the plane. Particle i is at the point where the
/// cumulative share of the intensity reaches (i + ½)/n.
std::vector<Place> grains_of(std::span<const float> image, ImageShape shape, double light)
{
    std::vector<Place> out;
    double passed = 0;
    for (int y = 0; y < shape.height; ++y)
        for (int i = 0; i < shape.width; ++i) {
            const int x = y % 2 == 0 ? i : shape.width - 1 - i;
            passed += image[static_cast<std::size_t>(y * shape.width + x)];
            while (out.size() < grains
                   && (static_cast<double>(out.size()) + 0.5) * light <= passed * static_cast<double>(grains))
                out.push_back({static_cast<float>(x), static_cast<float>(y)});
        }
    while (out.size() < grains)
        out.push_back(out.empty() ? Place{} : out.back());   // rounding can leave some out
    return out;
}

/// Returns the assignment of rows to columns with minimum total cost. Rows are added one by one
/// along a shortest augmenting path in reduced costs.
std::vector<std::size_t> assignment(const std::vector<float>& cost, std::size_t n)
{
    constexpr auto nobody = std::numeric_limits<std::size_t>::max();
    std::vector<double> row_price(n, 0), column_price(n, 0), way(n);
    std::vector<std::size_t> row_of(n, nobody), before(n);
    std::vector<char> done(n);
    for (std::size_t newcomer = 0; newcomer < n; ++newcomer) {
        std::fill(way.begin(), way.end(), std::numeric_limits<double>::infinity());
        std::fill(before.begin(), before.end(), nobody);
        std::fill(done.begin(), done.end(), 0);
        std::vector<std::size_t> reached;   // columns in the tree
        std::size_t row = newcomer, last = nobody;
        double length = 0;
        while (true) {
            std::size_t nearest = nobody;
            for (std::size_t j = 0; j < n; ++j) {
                if (done[j])
                    continue;
                const double through = length + cost[row * n + j] - row_price[row] - column_price[j];
                if (through < way[j])
                    way[j] = through, before[j] = last;
                if (nearest == nobody || way[j] < way[nearest])
                    nearest = j;
            }
            length        = way[nearest];
            done[nearest] = 1;
            last          = nearest;
            if (row_of[nearest] == nobody)
                break;
            reached.push_back(nearest);
            row = row_of[nearest];
        }
        row_price[newcomer] += length;
        for (const std::size_t j : reached) {
            row_price[row_of[j]] += length - way[j];
            column_price[j] -= length - way[j];
        }
        for (std::size_t j = last; j != nobody; j = before[j])
            row_of[j] = before[j] == nobody ? newcomer : row_of[before[j]];
    }
    std::vector<std::size_t> column_of(n);
    for (std::size_t j = 0; j < n; ++j)
        column_of[row_of[j]] = j;
    return column_of;
}

double sum_of(std::span<const float> image) { return std::accumulate(image.begin(), image.end(), 0.0); }

}   // namespace

MorphKind suitable_morph(std::span<const float> a, std::span<const float> b, ImageShape shape)
{
    const auto dark = [&](std::span<const float> image) {
        return ground_of(image, shape)[0] < 32 && sum_of(image) > 0;
    };
    return shape.channels == 1 && dark(a) && dark(b) ? MorphKind::flow : MorphKind::mix;
}

ImageMorph::ImageMorph(std::span<const float> a, std::span<const float> b, ImageShape shape, MorphKind kind)
    : shape_(shape), kind_(kind), a_(a.begin(), a.end()), b_(b.begin(), b.end()), light_a_(sum_of(a)),
      light_b_(sum_of(b))
{
    const auto size = static_cast<std::size_t>(shape.size());
    if (a.size() != size || b.size() != size)
        throw Error("Two images of " + std::to_string(a.size()) + " and " + std::to_string(b.size())
                    + " numbers cannot be morphed, expected " + std::to_string(size) + " each.");
    if (kind == MorphKind::flow && (shape.channels != 1 || !(light_a_ > 0) || !(light_b_ > 0)))
        kind_ = MorphKind::mix;
    if (kind_ == MorphKind::mix)
        return;

    from_           = grains_of(a, shape, light_a_);
    const auto ends = grains_of(b, shape, light_b_);
    std::vector<float> cost(grains * grains);
    for (std::size_t i = 0; i < grains; ++i)
        for (std::size_t j = 0; j < grains; ++j) {
            const float dx = from_[i][0] - ends[j][0], dy = from_[i][1] - ends[j][1];
            cost[i * grains + j] = dx * dx + dy * dy;
        }
    for (const std::size_t j : assignment(cost, grains))
        to_.push_back(ends[j]);
    rest_a_ = dots(0);
    rest_b_ = dots(1);
    for (std::size_t i = 0; i < size; ++i) {
        rest_a_[i] = a_[i] - rest_a_[i];
        rest_b_[i] = b_[i] - rest_b_[i];
    }
}

std::vector<float> ImageMorph::dots(double t) const
{
    std::vector<float> out(a_.size(), 0.0f);
    const auto light = static_cast<float>(((1 - t) * light_a_ + t * light_b_) / static_cast<double>(grains));
    const auto share = static_cast<float>(t);
    for (std::size_t i = 0; i < from_.size(); ++i) {
        const float x  = from_[i][0] + share * (to_[i][0] - from_[i][0]),
                    y  = from_[i][1] + share * (to_[i][1] - from_[i][1]);
        const float fx = std::floor(x), fy = std::floor(y), wx = x - fx, wy = y - fy;
        for (int corner = 0; corner < 4; ++corner) {
            const int px = static_cast<int>(fx) + (corner & 1), py = static_cast<int>(fy) + (corner >> 1);
            if (px < shape_.width && py < shape_.height)   // the weight is 0 outside
                out[static_cast<std::size_t>(py * shape_.width + px)] += light * ((corner & 1) ? wx : 1 - wx)
                                                                         * ((corner >> 1) ? wy : 1 - wy);
        }
    }
    out = blurred(out, shape_, dot_sd);
    for (float& pixel : out)
        pixel = std::min(pixel, 255.0f);
    return out;
}

std::vector<float> ImageMorph::at(double t) const
{
    if (!(t > 0))
        return a_;
    if (t >= 1)
        return b_;
    std::vector<float> out;
    if (kind_ == MorphKind::mix) {
        out.resize(a_.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<float>((1 - t) * a_[i] + t * b_[i]);
        return out;
    }
    out              = dots(t);
    const auto ease  = [](double left) { return static_cast<float>(left > 0 ? left * left : 0); };
    const float of_a = ease(1 - 3 * t), of_b = ease(3 * t - 2);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::clamp(out[i] + of_a * rest_a_[i] + of_b * rest_b_[i], 0.0f, 255.0f);
    return out;
}

}   // namespace credence
