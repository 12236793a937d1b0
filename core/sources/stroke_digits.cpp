// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/stroke_digits.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "images/strokes.h"
#include "random/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace credence {

namespace {

constexpr std::size_t side    = 28;
constexpr std::size_t classes = 10;

// Keys of the stream Stream::data; toys use the first few. One per image, and one per ten labels.
constexpr std::uint32_t image_key(StrokeAlphabet a, std::size_t i)
{
    return (a == StrokeAlphabet::digits ? 0x40000000u : 0x80000000u) + static_cast<std::uint32_t>(i);
}
constexpr std::uint32_t label_key(StrokeAlphabet a, std::size_t i)
{
    return (a == StrokeAlphabet::digits ? 0x04000000u : 0x0c000000u) + static_cast<std::uint32_t>(i / classes);
}

/// The random numbers of one image, used one after the other.
class Hand {
public:
    Hand(NoiseKey key, double variation) : variation_(variation)
    {
        standard_normals(key, 0, normals_);
        uniforms(key, 0, std::span<float>(uniforms_));
    }
    /// Normal with this standard deviation, truncated at three standard deviations.
    double normal(double sd)
    {
        return variation_ * sd * std::clamp<double>(normals_[next_normal_++ % normals_.size()], -3, 3);
    }
    double factor(double sd) { return std::exp(normal(sd)); }
    double variation() const { return variation_; }
    double uniform() { return uniforms_[next_uniform_++ % uniforms_.size()]; }

private:
    double variation_;
    std::array<float, 128> normals_;
    std::array<float, 16> uniforms_;
    std::size_t next_normal_ = 0, next_uniform_ = 0;
};

const StrokeShape& choose(const std::vector<StrokeShape>& shapes, double u)
{
    int all = 0;
    for (const StrokeShape& shape : shapes)
        all += shape.weight;
    double left = u * all;
    for (const StrokeShape& shape : shapes)
        if ((left -= shape.weight) < 0)
            return shape;
    return shapes.back();
}

/// Moves each point slightly, and extends or shortens strokes at their ends, which opens loops or
/// makes lines cross.
std::vector<PenStroke> moved_points(const StrokeShape& shape, Hand& hand)
{
    std::vector<PenStroke> strokes = shape.strokes;
    const double care              = 3.5 * hand.factor(0.45);
    for (PenStroke& stroke : strokes) {
        for (PenPoint& p : stroke) {
            p.x += hand.normal(care);
            p.y += hand.normal(care);
        }
        const auto stretch_end = [&](PenPoint& end, const PenPoint& before, double by) {
            end.x += by * (end.x - before.x);
            end.y += by * (end.y - before.y);
        };
        stretch_end(stroke.front(), stroke[1], hand.normal(0.18));
        stretch_end(stroke.back(), stroke[stroke.size() - 2], hand.normal(0.18));
    }
    return strokes;
}

/// Bends, stretches, slants and rotates the lines around the centre of the character, in units of
/// its height.
void deform(std::vector<InkLine>& lines, Hand& hand)
{
    const double wide = hand.factor(0.17), slant = 0.08 * hand.variation() + hand.normal(0.2), turn = hand.normal(0.11);
    const double bow_x = hand.normal(0.16), bow_y = hand.normal(0.12), wave = hand.normal(0.035),
                 phase     = 2 * std::numbers::pi * hand.uniform();
    const double top_wider = hand.normal(0.16), squeeze = hand.normal(0.14);
    const double c = std::cos(turn), s = std::sin(turn);
    for (InkLine& line : lines)
        for (InkPoint& p : line) {
            double x = (p.x - 30) / 100, y = (p.y - 50) / 100;
            y += squeeze * (0.25 - y * y)
                 + bow_y * x * x;   // different heights of the upper and lower half; sagging lines
            x = x * wide * (1 - top_wider * y) + bow_x * (y * y - 0.08)
                + wave * std::sin(2 * std::numbers::pi * y + phase) - slant * y;
            p.x = c * x - s * y;
            p.y = s * x + c * y;
        }
}

/// Half widths in pixels: one pen per image, with varying pressure along each stroke.
void press(std::vector<InkLine>& lines, Hand& hand)
{
    const double pen = 1.25 * hand.factor(0.3);
    for (InkLine& line : lines) {
        const double start = hand.factor(0.12), end = hand.factor(0.2);
        for (std::size_t i = 0; i < line.size(); ++i) {
            const double t = line.size() > 1 ? static_cast<double>(i) / static_cast<double>(line.size() - 1) : 0;
            line[i].radius = std::clamp(pen * (start + t * (end - start)), 0.55, 3.0);
        }
    }
}

/// Limits the shift `by` so that the range `low` to `high` stays between the second and the last
/// but one pixel.
double within_picture(double by, double low, double high)
{
    constexpr double first = 0.8, last = side - 1.8;
    return std::max(std::min(by, last - high), first - low);
}

void shift(std::vector<InkLine>& lines, double right, double down)
{
    double left = side, top = side, rightmost = 0, bottom = 0;
    for (const InkLine& line : lines)
        for (const InkPoint& p : line) {
            left      = std::min(left, p.x - p.radius);
            rightmost = std::max(rightmost, p.x + p.radius);
            top       = std::min(top, p.y - p.radius);
            bottom    = std::max(bottom, p.y + p.radius);
        }
    right = within_picture(right, left, rightmost);
    down  = within_picture(down, top, bottom);
    for (InkLine& line : lines)
        for (InkPoint& p : line)
            p.x += right, p.y += down;
}

void draw_one(const std::vector<StrokeShape>& shapes, NoiseKey key, double variation, std::span<std::uint8_t> out)
{
    Hand hand(key, variation);
    const StrokeShape& shape = choose(shapes, hand.uniform());
    std::vector<InkLine> lines;
    for (const PenStroke& stroke : moved_points(shape, hand))
        lines.push_back(pen_path(stroke, 4));
    deform(lines, hand);
    press(lines, hand);
    fit_ink(lines, 18 * hand.factor(0.07), static_cast<double>(side));
    shift(lines, hand.normal(0.7), hand.normal(0.7));

    std::array<float, side * side> light;
    draw_ink(lines, 0.75, side, side, light);
    // Grain: a scan of ink on paper. Paper stays black, as in MNIST; full ink is 200 to 255 with
    // its own noise.
    std::array<float, side * side> grain;
    standard_normals(key, 4096, grain);
    const double full  = 255 * (1 - 0.2 * std::min(variation, 1.0) * hand.uniform()),
                 rough = std::abs(hand.normal(0.06));
    for (std::size_t i = 0; i < light.size(); ++i) {
        const double value = full * light[i] * (1 + rough * grain[i]);
        out[i]             = static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
    }
}

}   // namespace

ImageSet draw_strokes(const StrokeOptions& options)
{
    if (options.n < 1 || options.n > 1'000'000)
        throw Error("data.n", "Number of images is " + std::to_string(options.n) + ", expected 1 to 1000000.");
    if (options.first > 1'000'000'000)
        throw Error("data.first",
                    "Number of the first image is " + std::to_string(options.first) + ", expected 0 to 1000000000.");
    if (!(options.variation >= 0 && options.variation <= 2))
        throw Error("data.variation",
                    "Variation is " + number_text(options.variation, 6) + ", expected a number from 0 to 2.");

    const bool digits        = options.alphabet == StrokeAlphabet::digits;
    const StrokeSigns& signs = digits ? digit_shapes() : letter_shapes();
    ImageSet set;
    set.name        = digits ? "Stroke digits" : "Stroke letters";
    set.n           = options.n;
    set.channels    = 1;
    set.height      = side;
    set.width       = side;
    set.class_names = digits ? digit_names()
                             : std::vector<std::string>{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"};
    set.pixels.resize(set.n * side * side);
    std::array<std::uint32_t, classes> order{};
    for (std::size_t k = 0; k < set.n; ++k) {
        stop_point();
        const std::size_t i = options.first + k;
        if (k == 0 || i % classes == 0)
            permutation({options.seed, Stream::data, label_key(options.alphabet, i)}, order);
        const std::uint32_t label = order[i % classes];
        set.labels.push_back(static_cast<int>(label));
        draw_one(signs[label], {options.seed, Stream::data, image_key(options.alphabet, i)}, options.variation,
                 std::span(set.pixels).subspan(k * side * side, side * side));
    }
    return set;
}

ImageData stroke_digits(std::size_t n_training, std::size_t n_test, std::uint64_t seed)
{
    return {draw_strokes({.n = n_training, .seed = seed}),
            draw_strokes({.n = n_test, .first = n_training, .seed = seed})};
}

}   // namespace credence
