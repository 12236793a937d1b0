// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "images/image_morph.h"
#include "random/noise.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace credence {

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

/// Pixel index with mirroring at the border: … 1 0 | 0 1 … n−1 | n−1 n−2 …
int mirrored(int i, int n)
{
    const int period = 2 * n;
    const int j      = ((i % period) + period) % period;
    return j < n ? j : period - 1 - j;
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
        throw Error("Noise of standard deviation " + number_text(sd, 6) + " was asked for, expected 0 or more.");
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
           && placement.down == 0 && blur == 0 && noise == 0;
}

std::vector<float> disturbed(std::span<const float> image, ImageShape shape, const Disturbance& disturbance,
                             const ImageMorph* morph)
{
    auto out = morph && disturbance.morph != 0 ? morph->at(disturbance.morph) : copy_of(image);
    out      = placed(out, shape, disturbance.placement);
    out      = blurred(out, shape, disturbance.blur);
    return with_noise(out, disturbance.noise, disturbance.noise_seed);
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
    return out;
}

}   // namespace credence
