// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "random/noise.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
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

namespace {

constexpr std::uint32_t disturbance_key = 0x6e6f6973;   // "nois": not used by any figure

std::vector<float> copy_of(std::span<const float> image) { return {image.begin(), image.end()}; }

/// Cosine and sine; exact at multiples of 90°.
std::pair<double, double> direction(double degrees)
{
    const double turn = std::remainder(degrees, 360.0);
    if (turn == 0)
        return {1, 0};
    if (turn == 90)
        return {0, 1};
    if (turn == -90)
        return {0, -1};
    if (std::abs(turn) == 180)
        return {-1, 0};
    const double angle = turn * std::numbers::pi / 180;
    return {std::cos(angle), std::sin(angle)};
}

/// Blurs along one direction: `n` pixels, `step` apart.
void blur_line(const float* in, float* out, int n, int step, std::span<const double> kernel)
{
    const int reach = static_cast<int>(kernel.size()) - 1;
    for (int i = 0; i < n; ++i) {
        double sum = kernel[0] * in[i * step];
        for (int k = 1; k <= reach; ++k)
            sum += kernel[static_cast<std::size_t>(k)]
                   * (in[mirrored(i - k, n) * step] + in[mirrored(i + k, n) * step]);
        out[i * step] = static_cast<float>(sum);
    }
}

/// "2", "2.5", "0.25"
std::string rounded(double value) { return number_text(std::round(value * 100) / 100, 6); }

}   // namespace

int mirrored(int i, int n)
{
    const int period = 2 * n;
    const int j      = ((i % period) + period) % period;
    return j < n ? j : period - 1 - j;
}

std::vector<float> ground_of(std::span<const float> image, ImageShape shape)
{
    assert(image.size() == static_cast<std::size_t>(shape.size()));
    std::vector<float> ground, border;
    for (int c = 0; c < shape.channels; ++c) {
        border.clear();
        for (int y = 0; y < shape.height; ++y)
            for (int x = 0; x < shape.width; ++x)
                if (y == 0 || x == 0 || y == shape.height - 1 || x == shape.width - 1)
                    border.push_back(image[static_cast<std::size_t>((c * shape.height + y) * shape.width + x)]);
        const auto middle = border.begin() + static_cast<std::ptrdiff_t>(border.size() / 2);
        std::nth_element(border.begin(), middle, border.end());
        ground.push_back(*middle);
    }
    return ground;
}

std::vector<float> placed(std::span<const float> image, ImageShape shape, const Placement& placement)
{
    for (const double number : {placement.degrees, placement.right, placement.down})
        if (!std::isfinite(number))
            throw Error("An image cannot be rotated or shifted by " + number_text(number, 6)
                        + ", expected a finite number.");
    if (!(placement.scale > 0 && std::isfinite(placement.scale)))
        throw Error("An image cannot be scaled by " + number_text(placement.scale, 6) + ", expected a number above 0.");
    const auto [cosine, sine] = direction(placement.degrees);
    if (cosine == 1 && placement.scale == 1 && placement.right == 0 && placement.down == 0)
        return copy_of(image);

    const auto ground = ground_of(image, shape);
    std::vector<float> out(image.size());
    const double cx = (shape.width - 1) / 2.0, cy = (shape.height - 1) / 2.0;
    for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x) {
            const double dx = (x - cx - placement.right) / placement.scale,
                         dy = (y - cy - placement.down) / placement.scale;
            // y points down
            const double sx = cx + cosine * dx - sine * dy, sy = cy + sine * dx + cosine * dy;
            const double fx = std::floor(sx), fy = std::floor(sy);
            const double wx = sx - fx, wy = sy - fy;
            const double weights[4] = {(1 - wx) * (1 - wy), wx * (1 - wy), (1 - wx) * wy, wx * wy};
            for (int c = 0; c < shape.channels; ++c) {
                double sum = 0;
                for (int corner = 0; corner < 4; ++corner) {
                    if (weights[corner] == 0)
                        continue;
                    const double px = fx + (corner & 1), py = fy + (corner >> 1);
                    const bool inside = px >= 0 && py >= 0 && px < shape.width && py < shape.height;
                    const auto at     = inside ? static_cast<std::size_t>(
                                        (c * shape.height + static_cast<int>(py)) * shape.width + static_cast<int>(px))
                                               : 0;
                    sum += weights[corner] * (inside ? image[at] : ground[static_cast<std::size_t>(c)]);
                }
                out[static_cast<std::size_t>((c * shape.height + y) * shape.width + x)] = static_cast<float>(sum);
            }
        }
    return out;
}

std::vector<float> blurred(std::span<const float> image, ImageShape shape, double sd)
{
    if (!(sd >= 0 && sd <= 1000))
        throw Error("An image cannot be blurred by " + number_text(sd, 6) + " pixels, expected 0 to 1000.");
    if (sd == 0)
        return copy_of(image);
    const int reach = std::max(1, static_cast<int>(std::ceil(4 * sd)));
    std::vector<double> kernel;
    double sum = 0;
    for (int i = 0; i <= reach; ++i) {
        kernel.push_back(std::exp(-0.5 * i * i / (sd * sd)));
        sum += (i == 0 ? 1 : 2) * kernel.back();
    }
    for (double& weight : kernel)
        weight /= sum;
    std::vector<float> between(image.size()), out(image.size());
    for (int c = 0; c < shape.channels; ++c) {
        const auto channel = static_cast<std::size_t>(c * shape.height * shape.width);
        for (int y = 0; y < shape.height; ++y) {
            const auto row = channel + static_cast<std::size_t>(y * shape.width);
            blur_line(image.data() + row, between.data() + row, shape.width, 1, kernel);
        }
        for (int x = 0; x < shape.width; ++x) {
            const auto column = channel + static_cast<std::size_t>(x);
            blur_line(between.data() + column, out.data() + column, shape.height, shape.width, kernel);
        }
    }
    return out;
}

std::vector<float> with_noise(std::span<const float> image, double sd, std::uint64_t seed)
{
    if (!(sd >= 0 && std::isfinite(sd)))
        throw Error("Noise of standard deviation " + number_text(sd, 6) + " was requested, expected 0 or more.");
    if (sd == 0)
        return copy_of(image);
    std::vector<float> out(image.size());
    standard_normals({seed, Stream::figures, disturbance_key}, 0, std::span<float>(out));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::clamp(image[i] + static_cast<float>(sd) * out[i], 0.0f, 255.0f);
    return out;
}

bool Disturbance::none() const
{
    return morph == 0 && std::remainder(placement.degrees, 360.0) == 0 && placement.scale == 1 && placement.right == 0
           && placement.down == 0 && blur == 0 && noise == 0 && severity == 0;
}

std::vector<float> disturbed(std::span<const float> image, ImageShape shape, const Disturbance& disturbance,
                             const ImageMorph* morph)
{
    auto out = morph && disturbance.morph != 0 ? morph->at(disturbance.morph) : copy_of(image);
    out      = placed(out, shape, disturbance.placement);
    out      = blurred(out, shape, disturbance.blur);
    out      = with_noise(out, disturbance.noise, disturbance.noise_seed);
    return corrupted(out, shape, disturbance.corruption, disturbance.severity, 0, disturbance.noise_seed);
}

std::string description_of(const Disturbance& disturbance, const std::string& other)
{
    std::string out;
    const auto& place = disturbance.placement;
    if (disturbance.morph != 0)
        out += ", " + rounded(100 * disturbance.morph) + " % of the way into "
               + (other.empty() ? "another image" : other);
    if (std::remainder(place.degrees, 360.0) != 0)
        out += ", rotated " + rounded(place.degrees) + "°";
    if (place.scale != 1)
        out += ", scaled by " + rounded(place.scale);
    if (place.right != 0)
        out += ", shifted " + rounded(std::abs(place.right)) + (place.right > 0 ? " right" : " left");
    if (place.down != 0)
        out += (place.right != 0 ? " and " : ", shifted ") + rounded(std::abs(place.down))
               + (place.down > 0 ? " down" : " up");
    if (disturbance.blur != 0)
        out += ", blurred " + rounded(disturbance.blur) + " px";
    if (disturbance.noise != 0)
        out += ", noise " + rounded(disturbance.noise);
    if (disturbance.severity != 0)
        out += ", " + title_of(disturbance.corruption) + " of severity " + std::to_string(disturbance.severity);
    return out;
}

}   // namespace credence
