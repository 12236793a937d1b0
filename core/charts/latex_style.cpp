// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/latex_style.h"

#include "charts/number_text.h"

#include <cstdlib>

namespace credence::latex {

constexpr const char* category_markers[] = {"*", "square*", "triangle*", "diamond*", "pentagon*", "x", "+", "o"};
constexpr int n_category_colours         = static_cast<int>(category_colours.size());

std::string colour(const Tone& tone)
{
    switch (tone.kind) {
    case Tone::Kind::category:
        return std::string("credencecat")
            .append(std::to_string(((tone.index % n_category_colours) + n_category_colours) % n_category_colours));
    case Tone::Kind::neutral: return "black";
    case Tone::Kind::muted: return "black!45";
    case Tone::Kind::accent: return "credencecat5";
    case Tone::Kind::data: return "black!80";
    case Tone::Kind::prior: return "black!55";
    case Tone::Kind::posterior: return "credencecat0";
    case Tone::Kind::training: return "credencecat0";
    case Tone::Kind::test: return "credencecat1";
    case Tone::Kind::right: return "credencecat2";
    case Tone::Kind::wrong: return "credencecat5";
    }
    return "black";
}

std::string marker(const Points& points)
{
    switch (points.marker) {
    case Marker::by_category:
        return category_markers[points.tone.kind == Tone::Kind::category
                                    ? std::abs(points.tone.index) % n_category_colours
                                    : 0];
    case Marker::circle: return points.filled ? "*" : "o";
    case Marker::square: return points.filled ? "square*" : "square";
    case Marker::triangle: return points.filled ? "triangle*" : "triangle";
    case Marker::diamond: return points.filled ? "diamond*" : "diamond";
    case Marker::cross: return "x";
    case Marker::plus: return "+";
    }
    return "*";
}

std::string dash(LineStyle style)
{
    return style == LineStyle::solid ? "solid" : style == LineStyle::dashed ? "dashed" : "dotted";
}

std::string number(double value) { return number_text(value, 7); }

std::string pair(double x, double y)
{
    std::string out("(");
    out += number(x);
    out += ',';
    out += number(y);
    out += ')';
    return out;
}

}   // namespace credence::latex
