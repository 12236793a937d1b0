// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/traffic_signs.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace credence {

namespace {

using Parts = std::vector<SignPart>;

/// A regular polygon. @param turn  angle of its first corner, in degrees clockwise from the right
SignPart regular(SignInk ink, int corners, double radius, double turn, double x = 0, double y = 0)
{
    SignPart part{.ink = ink, .points = {}};
    for (int i = 0; i < corners; ++i) {
        const double angle = (turn + 360.0 * i / corners) * std::numbers::pi / 180;
        part.points.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
    }
    return part;
}

SignPart disc(SignInk ink, double radius, double x = 0, double y = 0) { return regular(ink, 20, radius, 0, x, y); }
SignPart area(SignInk ink, PenStroke corners) { return {.ink = ink, .points = std::move(corners)}; }
SignPart box(SignInk ink, double left, double top, double right, double bottom)
{
    return area(ink, {{left, top}, {right, top}, {right, bottom}, {left, bottom}});
}
SignPart pen_line(SignInk ink, PenStroke points, double pen)
{
    return {.ink = ink, .points = std::move(points), .pen = pen};
}
/// A straight line between two points.
SignPart bar(SignInk ink, PenPoint from, PenPoint to, double pen) { return pen_line(ink, {from, to}, pen); }

Parts operator+(Parts a, const Parts& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// An arrow head at the end of a line from `from`. @param size  half its width
SignPart arrow_head(SignInk ink, PenPoint from, PenPoint tip, double size)
{
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    const double ux = (tip.x - from.x) / length, uy = (tip.y - from.y) / length;
    const PenPoint base{tip.x - 1.3 * size * ux, tip.y - 1.3 * size * uy};
    return area(ink, {tip, {base.x - size * uy, base.y + size * ux}, {base.x + size * uy, base.y - size * ux}});
}

// The boards.

Parts red_ring() { return {disc(SignInk::red, 1), disc(SignInk::white, 0.74)}; }
Parts blue_disc() { return {disc(SignInk::white, 1), disc(SignInk::blue, 0.94)}; }
Parts blue_board() { return {box(SignInk::white, -0.9, -0.9, 0.9, 0.9), box(SignInk::blue, -0.83, -0.83, 0.83, 0.83)}; }
Parts warning()   // the centre is lower than that of its corners
{
    return {regular(SignInk::red, 3, 1.15, -90, 0, 0.12), regular(SignInk::white, 3, 0.72, -90, 0, 0.14)};
}

/// Digits, narrower if there are three.
Parts limit_number(const std::string& digits)
{
    Parts parts;
    const auto n       = static_cast<double>(digits.size());
    const double width = n > 2 ? 0.3 : 0.42, height = n > 2 ? 0.62 : 0.72, gap = n > 2 ? 0.12 : 0.16;
    double left = -(n * width + (n - 1) * gap) / 2;
    for (const char digit : digits) {
        const auto& shapes = digit_shapes().at(static_cast<std::size_t>(digit - '0'));
        for (PenStroke stroke : shapes.front().strokes) {
            for (PenPoint& p : stroke) {
                p.x = left + p.x / 60 * width;
                p.y = (p.y / 100 - 0.5) * height;
            }
            parts.push_back(pen_line(SignInk::black, std::move(stroke), n > 2 ? 0.065 : 0.085));
        }
        left += width + gap;
    }
    return parts;
}

Parts speed_limit(const std::string& digits) { return red_ring() + limit_number(digits); }

/// The rear of a car. @param x  its centre
Parts car(SignInk ink, double x)
{
    return {box(ink, x - 0.24, -0.08, x + 0.24, 0.2),
            area(ink, {{x - 0.2, -0.06}, {x - 0.13, -0.3}, {x + 0.13, -0.3}, {x + 0.2, -0.06}}),
            box(ink, x - 0.22, 0.18, x - 0.1, 0.32), box(ink, x + 0.1, 0.18, x + 0.22, 0.32)};
}

Parts end_of_limits()
{
    Parts parts{disc(SignInk::grey, 1), disc(SignInk::white, 0.93)};
    for (const double shift : {-0.24, 0.0, 0.24})
        parts.push_back(bar(SignInk::black, {-0.52 + shift, 0.52 + shift}, {0.52 + shift, -0.52 + shift}, 0.05));
    return parts;
}

Parts stop_sign()
{
    const SignInk ink    = SignInk::white;
    constexpr double pen = 0.07, top = -0.26, bottom = 0.26, middle = 0;
    return {regular(ink, 8, 1.06, 22.5),
            regular(SignInk::red, 8, 0.97, 22.5),
            pen_line(ink,
                     {{-0.44, top},
                      {-0.6, -0.24},
                      {-0.66, -0.12},
                      {-0.54, middle},
                      {-0.46, 0.13},
                      {-0.54, 0.25},
                      {-0.7, bottom}},
                     pen),
            bar(ink, {-0.36, top}, {-0.06, top}, pen),
            bar(ink, {-0.21, top}, {-0.21, bottom}, pen),
            pen_line(ink, {{0.16, top}, {0.06, middle}, {0.16, bottom}, {0.28, middle}, {0.16, top}}, pen),
            bar(ink, {0.44, top}, {0.44, bottom}, pen),
            pen_line(ink, {{0.44, top}, {0.64, -0.22}, {0.66, -0.06}, {0.44, 0.02}}, pen)};
}

/// A bend, first to the left and then up. @param side  1: to the left, -1: to the right
Parts bend(double side)
{
    const PenPoint tip{-side * 0.2, -0.32};
    return {pen_line(SignInk::black,
                     {{side * 0.2, 0.44}, {side * 0.2, 0.16}, {-side * 0.14, 0.04}, {-side * 0.16, -0.12}}, 0.08),
            arrow_head(SignInk::black, {-side * 0.14, 0.1}, tip, 0.17)};
}

/// A pedestrian walking to the left, feet at `ground`. @param size  height
Parts walker(SignInk ink, double x, double ground, double size)
{
    const auto at       = [&](double right, double up) { return PenPoint{x + right * size, ground - up * size}; };
    const PenPoint head = at(-0.02, 0.9);
    return {disc(ink, 0.11 * size, head.x, head.y),
            bar(ink, at(0, 0.72), at(0.02, 0.42), 0.1 * size),
            bar(ink, at(0.02, 0.42), at(-0.2, 0), 0.065 * size),
            bar(ink, at(0.02, 0.42), at(0.22, 0), 0.065 * size),
            bar(ink, at(0, 0.7), at(-0.22, 0.46), 0.05 * size),
            bar(ink, at(0, 0.7), at(0.2, 0.48), 0.05 * size)};
}

Parts road_works()
{
    return {disc(SignInk::black, 0.09, -0.1, -0.22),
            bar(SignInk::black, {-0.12, -0.06}, {-0.26, 0.18}, 0.08),
            bar(SignInk::black, {-0.26, 0.18}, {-0.16, 0.44}, 0.06),
            bar(SignInk::black, {-0.26, 0.18}, {-0.4, 0.44}, 0.06),
            bar(SignInk::black, {-0.14, 0.0}, {0.12, 0.14}, 0.05),
            bar(SignInk::black, {-0.02, -0.02}, {0.2, 0.34}, 0.045),
            area(SignInk::black, {{0.06, 0.47}, {0.26, 0.24}, {0.46, 0.47}})};
}

/// Half a turn right or left, out of a straight line. @param side  1: right
Parts turn_arrow(double side)
{
    return {pen_line(SignInk::white,
                     {{-side * 0.3, 0.62}, {-side * 0.3, 0.1}, {-side * 0.22, -0.1}, {0, -0.16}, {side * 0.2, -0.16}},
                     0.12),
            arrow_head(SignInk::white, {0, -0.16}, {side * 0.64, -0.16}, 0.3)};
}

Parts roundabout()
{
    Parts parts;
    for (int arrow = 0; arrow < 3; ++arrow) {
        PenStroke arc;
        const auto on_circle = [&](double degrees, double radius) {
            const double angle = (degrees - 120.0 * arrow) * std::numbers::pi / 180;
            return PenPoint{radius * std::cos(angle), radius * std::sin(angle)};
        };
        for (const double degrees : {-10.0, -30.0, -50.0, -65.0})
            arc.push_back(on_circle(degrees, 0.5));
        parts.push_back(pen_line(SignInk::white, arc, 0.1));
        const PenPoint from = on_circle(-58, 0.5), towards = on_circle(-104, 0.53);
        parts.push_back(arrow_head(SignInk::white, from, towards, 0.22));
    }
    return parts;
}

Parts pedestrian_crossing()
{
    return Parts{area(SignInk::white, {{0, -0.68}, {0.72, 0.62}, {-0.72, 0.62}})}
           + walker(SignInk::black, 0, 0.54, 0.92);
}

Parts letter_p()
{
    return {
        bar(SignInk::white, {-0.24, -0.52}, {-0.24, 0.54}, 0.12),
        pen_line(SignInk::white,
                 {{-0.24, -0.52}, {0.1, -0.52}, {0.32, -0.4}, {0.36, -0.2}, {0.28, -0.02}, {0.06, 0.06}, {-0.24, 0.06}},
                 0.12)};
}

Parts traffic_lights()
{
    return {box(SignInk::black, -0.17, -0.34, 0.17, 0.5), disc(SignInk::red, 0.105, 0, -0.2),
            disc(SignInk::yellow, 0.105, 0, 0.08), disc(SignInk::green, 0.105, 0, 0.36)};
}

std::vector<SignDesign> printed_designs()
{
    const SignInk black = SignInk::black, white = SignInk::white;
    return {
        {"Speed limit 30", speed_limit("30")},
        {"Speed limit 50", speed_limit("50")},
        {"Speed limit 60", speed_limit("60")},
        {"Speed limit 80", speed_limit("80")},
        {"Speed limit 100", speed_limit("100")},
        {"No overtaking", red_ring() + car(SignInk::red, -0.31) + car(black, 0.31)},
        {"No vehicles", red_ring()},
        {"No entry", {disc(white, 1), disc(SignInk::red, 0.95), box(white, -0.66, -0.18, 0.66, 0.18)}},
        {"End of limits", end_of_limits()},
        {"Give way", {regular(SignInk::red, 3, 1.15, 90, 0, -0.12), regular(white, 3, 0.66, 90, 0, -0.14)}},
        {"Stop", stop_sign()},
        {"Priority road",
         {regular(white, 4, 1.12, 0), regular(black, 4, 0.82, 0), regular(SignInk::yellow, 4, 0.77, 0)}},
        {"Danger", warning()
                       + Parts{area(black, {{-0.11, -0.36}, {0.11, -0.36}, {0.06, 0.2}, {-0.06, 0.2}}),
                               disc(black, 0.1, 0, 0.37)}},
        {"Bend to the left", warning() + bend(1)},
        {"Bend to the right", warning() + bend(-1)},
        {"Road works", warning() + road_works()},
        {"Pedestrians", warning() + walker(black, 0, 0.48, 0.86)},
        {"Traffic lights", warning() + traffic_lights()},
        {"Ahead only",
         blue_disc() + Parts{bar(white, {0, 0.56}, {0, -0.2}, 0.13), arrow_head(white, {0, 0}, {0, -0.68}, 0.34)}},
        {"Turn right", blue_disc() + turn_arrow(1)},
        {"Turn left", blue_disc() + turn_arrow(-1)},
        {"Roundabout", blue_disc() + roundabout()},
        {"Pedestrian crossing", blue_board() + pedestrian_crossing()},
        {"Parking", blue_board() + letter_p()},
    };
}

}   // namespace

const std::vector<SignDesign>& sign_designs()
{
    static const std::vector<SignDesign> all = printed_designs();
    return all;
}

}   // namespace credence
