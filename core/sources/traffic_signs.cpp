// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/traffic_signs.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "images/image_transforms.h"
#include "images/strokes.h"
#include "random/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace credence {

inline constexpr std::size_t sign_side = 32, sign_plane = sign_side * sign_side;   ///< pixels of one colour

/// Draws one scene with this sign: background, sign, occlusion, light, camera, in this order
/// (docs/traffic-signs.md). A function of the key and of the difficulty.
/// @param difficulty  strength of all distortions, 0 to 1
/// @param out         [3 × sign_plane], overwritten
void draw_sign(const SignDesign& design, NoiseKey key, double difficulty, std::span<std::uint8_t> out);

namespace {

/// The random numbers of one scene, used one after the other.
class Chance {
public:
    Chance(NoiseKey key, double strength) : strength_(strength)
    {
        standard_normals(key, 0, normals_);
        uniforms(key, 0, std::span<float>(uniforms_));
    }
    double strength() const { return strength_; }
    /// For a distortion: normal with this standard deviation at full difficulty, truncated at 2.5
    /// standard deviations.
    double normal(double sd) { return strength_ * sd * plain_normal(); }
    double factor(double sd) { return std::exp(normal(sd)); }
    double plain_normal() { return std::clamp<double>(normals_[next_normal_++ % normals_.size()], -2.5, 2.5); }
    double uniform() { return uniforms_[next_uniform_++ % uniforms_.size()]; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Mostly small values below 1: a product of two uniforms.
    double mostly_small()
    {
        const double one = uniform();
        return one * uniform();
    }
    bool happens(double probability) { return uniform() < probability; }
    Colour colour(double low, double high)
    {
        Colour made{};
        for (float& value : made)
            value = static_cast<float>(uniform(low, high));
        return made;
    }

private:
    double strength_;
    std::array<float, 128> normals_;
    std::array<float, 192> uniforms_;
    std::size_t next_normal_ = 0, next_uniform_ = 0;
};

/// Projection of the sign's plane to the camera: a homography.
struct Camera {
    double xx, xy, yx, yy, x, y;   ///< pixels per unit, and the centre
    double px, py;                 ///< perspective: the plane comes nearer to the right, and downwards

    PixelPoint at(double u, double v) const
    {
        const double depth = 1 + px * u + py * v;
        return {x + (xx * u + xy * v) / depth, y + (yx * u + yy * v) / depth};
    }
    double scale() const { return std::sqrt(std::fabs(xx * yy - xy * yx)); }
};

Camera camera_of(Chance& chance)
{
    const double size = 13 * chance.factor(0.16), turn = chance.normal(0.26), slant = chance.normal(0.16);
    const double wide = chance.factor(0.14), c = std::cos(turn), s = std::sin(turn);
    return {.xx = size * wide * c,
            .xy = size * (slant * c - s),
            .yx = size * wide * s,
            .yy = size * (slant * s + c),
            .x  = 15.5 + chance.normal(2.2),
            .y  = 15.5 + chance.normal(2.2),
            .px = chance.normal(0.22),
            .py = chance.normal(0.22)};
}

// Braced lists are evaluated in order, function arguments are not, so expressions with several
// random numbers use braces.

/// An ellipse. @member turn  angle of its first axis, radians
struct Blob {
    PixelPoint middle;
    double across, along, turn;
    Colour colour;
    double soft, opacity = 1;
};

/// The half-plane on one side of a line through a point. @member angle  direction of the painted
/// side, radians
struct HalfOfPicture {
    PixelPoint from;
    double angle;
    Colour colour;
    double opacity;
};

/// One image while it is painted.
struct Canvas {
    std::vector<float> picture = std::vector<float>(3 * sign_plane);
    std::array<float, sign_plane> cover{};

    void area(std::span<const PixelPoint> corners, const Colour& colour, double soft = 0.5, double opacity = 1)
    {
        cover_convex(corners, soft, sign_side, sign_side, cover);
        paint(picture, cover, colour, opacity);
    }
    void lines(std::span<const InkLine> ink, const Colour& colour)
    {
        std::fill(cover.begin(), cover.end(), 0.0f);
        draw_ink(ink, 0.5, sign_side, sign_side, cover);
        paint(picture, cover, colour);
    }
    void blob(const Blob& blob)
    {
        std::array<PixelPoint, 12> corners;
        const double c = std::cos(blob.turn), s = std::sin(blob.turn);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / corners.size();
            const double u = blob.across * std::cos(angle), v = blob.along * std::sin(angle);
            corners[i] = {blob.middle.x + u * c - v * s, blob.middle.y + u * s + v * c};
        }
        area(corners, blob.colour, blob.soft, blob.opacity);
    }
    void half(const HalfOfPicture& half)
    {
        constexpr double far = 100;
        const PixelPoint& p  = half.from;
        const double c = far * std::cos(half.angle), s = far * std::sin(half.angle);
        const std::array<PixelPoint, 4> corners{{{p.x - s, p.y + c},
                                                 {p.x + s, p.y - c},
                                                 {p.x + s + 2 * c, p.y - c + 2 * s},
                                                 {p.x - s + 2 * c, p.y + c + 2 * s}}};
        area(corners, half.colour, 0.8, half.opacity);
    }
};

/// A point of the sign within `reach` of (u, v) in both coordinates, as the camera sees it.
PixelPoint near_point(const Camera& camera, Chance& chance, double u, double v, double reach)
{
    const double right = chance.uniform(-reach, reach), down = chance.uniform(-reach, reach);
    return camera.at(u + right, v + down);
}

constexpr double full_turn = 2 * std::numbers::pi, half_turn = std::numbers::pi;

/// Sky, trees or walls, blurred like distant objects, and a pole.
void paint_background(Canvas& canvas, const Camera& camera, Chance& chance)
{
    const double clutter = chance.strength();
    constexpr std::array<Colour, 5> grounds{
        {{150, 185, 220}, {75, 100, 60}, {140, 135, 130}, {110, 90, 70}, {205, 210, 215}}};
    const Colour& ground = grounds[static_cast<std::size_t>(chance.uniform() * 4.999)];
    for (std::size_t c = 0; c < 3; ++c) {
        const double base = ground[c] + 40 * clutter * chance.uniform(-1, 1),
                     fall = 50 * clutter * chance.uniform(-1, 1);
        for (std::size_t i = 0; i < sign_plane; ++i)
            canvas.picture[c * sign_plane + i] = static_cast<float>(
                base + fall * (static_cast<double>(i / sign_side) / sign_side - 0.5));
    }
    for (int i = 0; i < 2; ++i)
        if (chance.happens(0.7 * clutter))
            canvas.half({{chance.uniform(0, 31), chance.uniform(0, 31)},
                         chance.uniform(0, full_turn),
                         chance.colour(20, 235),
                         chance.uniform(0.3, 0.9)});
    for (int i = 0; i < 6; ++i)
        if (chance.happens(clutter))
            canvas.blob({{chance.uniform(-2, 33), chance.uniform(-2, 33)},
                         chance.uniform(2, 8),
                         chance.uniform(2, 8),
                         chance.uniform(0, half_turn),
                         chance.colour(15, 240),
                         chance.uniform(0.6, 3),
                         chance.uniform(0.3, 0.9)});
    if (chance.happens(0.6)) {
        const PixelPoint top = camera.at(0, 0.2), bottom = camera.at(0, 3);
        const double wide = 0.09 * camera.scale();
        const auto grey   = static_cast<float>(chance.uniform(90, 170));
        canvas.area(std::array<PixelPoint, 4>{{{top.x - wide, top.y},
                                               {top.x + wide, top.y},
                                               {bottom.x + wide, bottom.y},
                                               {bottom.x - wide, bottom.y}}},
                    {grey, grey, grey + 4});
    }
}

Colour printed(SignInk ink)
{
    switch (ink) {
    case SignInk::red: return {196, 26, 36};
    case SignInk::white: return {238, 238, 234};
    case SignInk::blue: return {22, 84, 170};
    case SignInk::yellow: return {248, 196, 30};
    case SignInk::green: return {20, 150, 80};
    case SignInk::grey: return {120, 120, 120};
    default: return {26, 26, 28};
    }
}

void paint_sign(Canvas& canvas, const SignDesign& design, const Camera& camera, Chance& chance)
{
    const double fading = chance.strength() * 0.45 * chance.mostly_small();
    const auto pale     = static_cast<float>(chance.uniform(140, 215));
    const double bold   = chance.factor(0.1);
    std::vector<PixelPoint> corners;
    for (const SignPart& part : design.parts) {
        Colour colour = printed(part.ink);
        for (float& value : colour)
            value += static_cast<float>(fading) * (pale - value);
        if (part.pen == 0) {
            corners.clear();
            for (const PenPoint& p : part.points)
                corners.push_back(camera.at(p.x, p.y));
            canvas.area(corners, colour);
            continue;
        }
        InkLine line = pen_path(part.points, 3);
        for (InkPoint& p : line) {
            const PixelPoint seen = camera.at(p.x, p.y);
            p                     = {seen.x, seen.y, part.pen * bold * camera.scale()};
        }
        canvas.lines(std::span(&line, 1), colour);
    }
}

/// Shadows, and objects in front of the sign.
void cover_sign(Canvas& canvas, const Camera& camera, Chance& chance)
{
    const double much = chance.strength();
    if (chance.happens(0.5 * much))
        canvas.half({near_point(camera, chance, 0, 0, 0.6),
                     chance.uniform(0, full_turn),
                     {12, 14, 22},
                     chance.uniform(0.2, 0.2 + 0.45 * much)});
    if (chance.happens(0.35 * much)) {   // leaves in a bunch
        const double angle = chance.uniform(0, full_turn), away = chance.uniform(0.35, 1.05);
        const int leaves = 2 + static_cast<int>(5 * much * chance.uniform());
        for (int i = 0; i < leaves; ++i) {
            const auto bright = static_cast<float>(chance.uniform(0.6, 1.3));
            canvas.blob({near_point(camera, chance, away * std::cos(angle), away * std::sin(angle), 0.35),
                         chance.uniform(1, 2),
                         chance.uniform(2, 4.2),
                         chance.uniform(0, half_turn),
                         {62 * bright, 92 * bright, 40 * bright},
                         0.6});
        }
    }
    if (chance.happens(0.25 * much)) {   // a branch or a wire
        const double angle = chance.uniform(0, full_turn), off = chance.uniform(-0.7, 0.7);
        const auto end = [&](double along, double direction) {
            const double c = std::cos(direction), s = std::sin(direction);
            return camera.at(along * c - off * s, along * s + off * c);
        };
        const PixelPoint a = end(2, angle), b = end(-2, angle + 0.3);
        const InkLine line{{a.x, a.y, chance.uniform(0.4, 0.5 + 1.1 * much)},
                           {b.x, b.y, chance.uniform(0.4, 0.5 + 0.8 * much)}};
        canvas.lines(std::span(&line, 1), chance.colour(30, 90));
    }
    if (chance.happens(0.15 * much))   // a sticker, snow, graffiti
        canvas.blob({near_point(camera, chance, 0, 0, 0.6), chance.uniform(1.2, 3.4), chance.uniform(1.2, 3.4),
                     chance.uniform(0, half_turn), chance.colour(60, 245), 0.5});
}

/// (v / 255)^exponent for v = 0..255, linear between whole numbers.
class ToneCurve {
public:
    explicit ToneCurve(double exponent)
    {
        for (std::size_t v = 0; v < values_.size(); ++v)
            values_[v] = static_cast<float>(std::pow(static_cast<double>(v) / 255, exponent));
    }
    float operator()(float value) const
    {
        const float at       = std::clamp(value, 0.0f, 254.999f);
        const auto below     = static_cast<std::size_t>(at);
        const float fraction = at - static_cast<float>(below);
        return values_[below] + fraction * (values_[below + 1] - values_[below]);
    }

private:
    std::array<float, 256> values_;
};

/// Response to an amount of light, 1 is white: a smooth curve instead of clipping.
float film(float amount)
{
    return amount <= 1 ? amount * (1 - 0.12f * amount * amount) : 0.88f + 0.12f * (1 - std::exp(1 - amount));
}

/// Exposure, contrast, colour cast and haze; numbers stay between 0 and 255.
void expose(std::vector<float>& picture, Chance& chance)
{
    const double exposure = chance.normal(0.75);
    const ToneCurve contrast(chance.factor(0.28));
    const double haze = chance.strength() * 0.75 * chance.mostly_small(), veil = chance.uniform(120, 225);
    std::array<float, sign_side> across, down;   // more light on one side
    const double side = chance.normal(0.35), tall = chance.normal(0.35);
    for (std::size_t k = 0; k < sign_side; ++k) {
        const double at = static_cast<double>(k) / sign_side - 0.5;
        across[k]       = static_cast<float>(std::exp(side * at));
        down[k]         = static_cast<float>(std::exp(tall * at));
    }
    const auto lifted = static_cast<float>(chance.strength() * 10 * chance.uniform() + haze * veil),
               full   = static_cast<float>(255 * (1 - haze));
    for (std::size_t c = 0; c < 3; ++c) {
        const auto gain = static_cast<float>(std::exp(exposure + chance.normal(0.16)));
        for (std::size_t i = 0; i < sign_plane; ++i) {
            float& value = picture[c * sign_plane + i];
            value        = lifted + full * film(gain * across[i % sign_side] * down[i / sign_side] * contrast(value));
        }
    }
}

// Keys of the stream Stream::data not used by strokes and toys. One per image, and one per round of
// all classes.
constexpr std::uint32_t sign_key(SignSequence sequence, std::size_t i)
{
    return (sequence == SignSequence::training ? 0xc0000000u : 0xe0000000u) + static_cast<std::uint32_t>(i);
}
constexpr std::uint32_t round_key(SignSequence sequence, std::size_t round)
{
    return (sequence == SignSequence::training ? 0x14000000u : 0x18000000u) + static_cast<std::uint32_t>(round);
}

}   // namespace

void draw_sign(const SignDesign& design, NoiseKey key, double difficulty, std::span<std::uint8_t> out)
{
    Chance chance(key, difficulty);
    Canvas canvas;
    const Camera camera = camera_of(chance);
    paint_background(canvas, camera, chance);
    paint_sign(canvas, design, camera, chance);
    cover_sign(canvas, camera, chance);
    expose(canvas.picture, chance);

    const double focus = 0.35 + difficulty * 1.5 * chance.mostly_small();
    canvas.picture     = blurred(canvas.picture, {3, sign_side, sign_side}, focus);
    if (chance.happens(0.5)) {
        const double length = difficulty * 4.5 * chance.uniform(), angle = chance.uniform(0, half_turn);
        blur_along(canvas.picture, sign_side, sign_side, length * std::cos(angle), length * std::sin(angle));
    }
    std::array<float, 3 * sign_plane> grain;
    standard_normals(key, 4096, grain);
    const double noise = 14 * difficulty * chance.uniform();
    for (std::size_t i = 0; i < grain.size(); ++i)
        out[i] = static_cast<std::uint8_t>(std::clamp(canvas.picture[i] + noise * grain[i] + 0.5, 0.0, 255.0));
}

ImageSet draw_traffic_signs(const TrafficSignOptions& options)
{
    if (options.n < 1 || options.n > 1'000'000)
        throw Error("data.n", "Number of images is " + std::to_string(options.n) + ", expected 1 to 1000000.");
    if (options.first > 100'000'000)
        throw Error("data.first",
                    "Number of the first image is " + std::to_string(options.first) + ", expected 0 to 100000000.");
    if (!(options.difficulty >= 0 && options.difficulty <= 1))
        throw Error("data.difficulty",
                    "Difficulty is " + number_text(options.difficulty, 6) + ", expected a number from 0 to 1.");

    const std::vector<SignDesign>& designs = sign_designs();
    const std::size_t classes              = designs.size();
    ImageSet set;
    set.name     = "Traffic signs";
    set.n        = options.n;
    set.channels = 3;
    set.height = set.width = sign_side;
    for (const SignDesign& design : designs)
        set.class_names.push_back(design.name);
    set.pixels.resize(set.n * 3 * sign_plane);
    std::vector<std::uint32_t> order(classes);
    for (std::size_t k = 0; k < set.n; ++k) {
        const std::size_t i = options.first + k;
        if (k == 0 || i % classes == 0)
            permutation({options.seed, Stream::data, round_key(options.sequence, i / classes)}, order);
        set.labels.push_back(static_cast<int>(order[i % classes]));
    }
    constexpr std::size_t at_once = 256;   // images between two checks of the stop token
    for (std::size_t begin = 0; begin < set.n; begin += at_once) {
        stop_point();
        parallel_for(std::min(at_once, set.n - begin), [&](std::size_t j) {
            const std::size_t k = begin + j;
            draw_sign(designs[static_cast<std::size_t>(set.labels[k])],
                      {options.seed, Stream::data, sign_key(options.sequence, options.first + k)}, options.difficulty,
                      std::span(set.pixels).subspan(k * 3 * sign_plane, 3 * sign_plane));
        });
    }
    return set;
}

}   // namespace credence
