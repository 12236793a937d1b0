// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/latex_parts.h"

#include "charts/chart.h"
#include "charts/triangle.h"
#include "simplex/ternary_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace credence {

namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 10> specials{{{"\\", "\\textbackslash{}"},
                                          {"{", "\\{"},
                                          {"}", "\\}"},
                                          {"$", "\\$"},
                                          {"&", "\\&"},
                                          {"#", "\\#"},
                                          {"%", "\\%"},
                                          {"_", "\\_"},
                                          {"^", "\\textasciicircum{}"},
                                          {"~", "\\textasciitilde{}"}}};

// The right-hand sides are math mode.
constexpr std::array<Entry, 62> mathematics{
    {{"α", "\\alpha"},   {"β", "\\beta"},    {"γ", "\\gamma"},  {"δ", "\\delta"}, {"ε", "\\varepsilon"},
     {"ζ", "\\zeta"},    {"η", "\\eta"},     {"θ", "\\theta"},  {"κ", "\\kappa"}, {"λ", "\\lambda"},
     {"μ", "\\mu"},      {"ν", "\\nu"},      {"ξ", "\\xi"},     {"π", "\\pi"},    {"ρ", "\\rho"},
     {"σ", "\\sigma"},   {"τ", "\\tau"},     {"φ", "\\varphi"}, {"ψ", "\\psi"},   {"ω", "\\omega"},
     {"Γ", "\\Gamma"},   {"Δ", "\\Delta"},   {"Φ", "\\Phi"},    {"Σ", "\\Sigma"}, {"Ω", "\\Omega"},
     {"±", "\\pm"},      {"−", "-"},         {"≥", "\\ge"},     {"≤", "\\le"},    {"≠", "\\ne"},
     {"≈", "\\approx"},  {"·", "\\cdot"},    {"×", "\\times"},  {"√", "\\surd"},  {"∞", "\\infty"},
     {"✓", "\\surd"},    {"✗", "\\times"},   {"‖", "\\Vert"},   {"∼", "\\sim"},   {"→", "\\to"},
     {"∈", "\\in"},      {"∂", "\\partial"}, {"∇", "\\nabla"},  {"∑", "\\sum"},   {"½", "\\tfrac12"},
     {"¼", "\\tfrac14"}, {"²", "^2"},        {"³", "^3"},       {"¹", "^1"},      {"⁻", "^{-}"},
     {"₀", "_0"},        {"₁", "_1"},        {"₂", "_2"},       {"₃", "_3"},      {"₄", "_4"},
     {"₅", "_5"},        {"ₖ", "_k"},        {"ᵢ", "_i"},       {"°", "^\\circ"}, {"ᵀ", "^{\\top}"},
     {"⁴", "^4"},        {"∫", "\\int"}}};

constexpr std::string_view macron = "\u0304";

std::size_t length_of(std::string_view text)
{
    const auto lead     = static_cast<unsigned char>(text.front());
    const std::size_t n = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return n < text.size() ? n : text.size();
}

template <std::size_t n>
const Entry* find(const std::array<Entry, n>& entries, std::string_view character)
{
    for (const auto& entry : entries)
        if (entry.first == character)
            return &entry;
    return nullptr;
}

}   // namespace

std::string tex_text(const std::string& text)
{
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const auto character = rest.substr(0, length_of(rest));
        rest.remove_prefix(character.size());
        const auto* math = find(mathematics, character);
        if (rest.starts_with(macron)) {
            rest.remove_prefix(macron.size());
            out.append("\\ensuremath{\\bar{").append(math ? math->second : character).append("}}");
        } else if (math)
            out.append("\\ensuremath{").append(math->second).append("}");
        else if (const auto* special = find(specials, character))
            out += special->second;
        else
            out += character;
    }
    return out;
}

}   // namespace credence

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
    case Tone::Kind::level:   // from the first category's colour to the second's
        return "credencecat1!" + std::to_string(100 * tone.index / (n_levels - 1)) + "!credencecat0";
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

namespace {

/// One series of one panel, as pgfplots commands.
struct Plotter {
    std::ostringstream& out;

    void finish(const std::string& name, bool wanted) const
    {
        if (wanted && !name.empty())
            out << "\\addlegendentry{" << tex_text(name) << "}\n";
    }
    static std::string unlisted(const std::string& name) { return name.empty() ? ", forget plot" : ""; }

    void operator()(const Line& line) const
    {
        out << "\\addplot[" << colour(line.tone) << ", " << dash(line.style) << ", line width=" << number(line.width)
            << "pt, opacity=" << number(line.opacity) << (line.steps ? ", const plot" : "")
            << ", no marks, unbounded coords=jump" << unlisted(line.name) << "] coordinates {";
        for (std::size_t i = 0; i < line.x.size(); ++i)
            out << (i % 8 ? " " : "\n  ") << pair(line.x[i], line.y[i]);
        out << "\n};\n";
        finish(line.name, true);
    }
    void operator()(const Band& band) const
    {
        out << "\\addplot[draw=none, fill=" << colour(band.tone) << ", fill opacity=" << number(band.opacity)
            << ", area legend, no marks" << unlisted(band.name) << "] coordinates {";
        const std::size_t n = band.x.size();
        for (std::size_t i = 0; i < n; ++i)
            out << (i % 8 ? " " : "\n  ") << pair(band.x[i], band.upper[i]);
        for (std::size_t i = n; i-- > 0;)
            out << (i % 8 ? " " : "\n  ") << pair(band.x[i], band.lower[i]);
        out << "\n} -- cycle;\n";
        finish(band.name, true);
    }
    void operator()(const Points& points) const
    {
        out << "\\addplot[only marks, mark=" << marker(points) << ", mark size=" << number(points.size / 2) << "pt, "
            << colour(points.tone) << (points.filled ? "" : ", mark options={fill=white}")
            << (points.opacity < 1 ? ", opacity=" + number(points.opacity) : "")
            << (points.labels.empty() ? "" : ", nodes near coords, point meta=explicit symbolic")
            << unlisted(points.name) << "] coordinates {";
        for (std::size_t i = 0; i < points.x.size(); ++i) {
            out << (i % 8 ? " " : "\n  ") << pair(points.x[i], points.y[i]);
            if (i < points.labels.size())
                out << " [" << tex_text(points.labels[i]) << ']';
        }
        out << "\n};\n";
        finish(points.name, true);
    }
    void operator()(const Bars& bars) const
    {
        out << "\\addplot[" << (bars.horizontal ? "xbar" : "ybar") << ", bar width=" << number(bars.width)
            << ", draw=" << colour(bars.tone) << ", fill=" << colour(bars.tone)
            << ", fill opacity=" << number(bars.opacity) << ", area legend, no marks"
            << (bars.labels.empty() ? "" : ", nodes near coords, point meta=explicit symbolic") << unlisted(bars.name)
            << "] coordinates {";
        for (std::size_t i = 0; i < bars.position.size(); ++i) {
            const double at = bars.position[i], height = bars.height[i];
            out << (i % 8 ? " " : "\n  ") << (bars.horizontal ? pair(height, at) : pair(at, height));
            if (i < bars.labels.size())
                out << " [" << tex_text(bars.labels[i]) << "]";
        }
        out << "\n};\n";
        finish(bars.name, true);
    }
    void operator()(const Boxes& boxes) const
    {
        for (const auto& box : boxes.boxes) {
            out << "\\addplot[" << colour(box.wrong ? Tone{Tone::Kind::wrong} : box.tone)
                << (box.wrong ? ", fill=" + std::string(colour(box.tone)) + ", fill opacity=0.3" : "")
                << ", solid, boxplot/draw direction=y, mark=o, mark size=1pt, boxplot prepared={draw position="
                << number(box.position) << ", box extend=" << number(boxes.width)
                << ", lower whisker=" << number(box.lower_whisker) << ", lower quartile=" << number(box.lower_quartile)
                << ", median=" << number(box.median) << ", upper quartile=" << number(box.upper_quartile)
                << ", upper whisker=" << number(box.upper_whisker)
                << "}, forget plot] table[row sep=\\\\, y index=0] {";
            for (const double outlier : box.outliers)
                out << " " << number(outlier) << "\\\\";
            out << " };\n";
        }
    }
    void operator()(const IntervalBars& intervals) const
    {
        for (const auto& bar : intervals.bars)
            out << "\\addplot[only marks, mark=" << (intervals.thin ? "none, " : "*, ") << colour(bar.tone)
                << (bar.wrong ? ", mark options={line width=1pt, draw=" + std::string(colour({Tone::Kind::wrong})) + "}"
                              : "")
                << ", error bars/.cd, y dir=both, y explicit, error bar style={"
                << (intervals.thin ? "line width=0.5pt, opacity=0.45" : "line width=1.2pt")
                << "}, /pgfplots/.cd, forget plot] coordinates {" << pair(bar.position, bar.centre)
                << " += " << pair(0, bar.upper - bar.centre) << " -= " << pair(0, bar.centre - bar.lower) << "};\n";
    }
    void operator()(const HeatMap& map) const
    {
        out << "\\addplot[matrix plot*, mesh/cols=" << map.nx
            << ", point meta=explicit, point meta min=" << number(map.z_range.first)
            << ", point meta max=" << number(map.z_range.second) << ", forget plot] coordinates {";
        for (int iy = 0; iy < map.ny; ++iy)
            for (int ix = 0; ix < map.nx; ++ix) {
                out << (ix % 8 ? " " : "\n  ") << "(" << number_text(map.x_at(ix), 5) << ","
                    << number_text(map.y_at(iy), 5) << ") ["
                    << number_text(map.z[static_cast<std::size_t>(iy) * map.nx + ix], 4) << "]";
            }
        out << "\n};\n";
        if (!map.contours.empty())
            out << "% The contour lines of the picture on screen are not drawn here.\n";
    }
    /// Small triangles as patches, limited to what a TeX run can handle: larger triangles have the
    /// mean of those they replace.
    void operator()(const TernaryMap& map) const
    {
        constexpr int most = 50;   // cells a side
        const TernaryGrid fine{map.n, {}}, coarse{std::min(map.n, most), {}};
        std::vector<double> sum(static_cast<std::size_t>(coarse.n) * coarse.n, 0), count(sum.size(), 0);
        for (int cell = 0; cell < static_cast<int>(map.z.size()); ++cell) {
            const auto c  = fine.corners(cell);
            const auto at = static_cast<std::size_t>(
                coarse.cell_of((c[0][0] + c[1][0] + c[2][0]) / 3, (c[0][1] + c[1][1] + c[2][1]) / 3));
            sum[at] += static_cast<double>(map.z[static_cast<std::size_t>(cell)]);
            count[at] += 1;
        }
        const auto meta = [&](double value) {
            return map.logarithmic ? std::log10(std::max(value, map.z_range.first)) : value;
        };
        if (coarse.n < map.n)
            out << "% The map has " << map.n << " cells per side, here means over " << coarse.n << ".\n";
        out << "\\addplot[patch, patch type=triangle, shader=flat mean, point meta=explicit, point meta min="
            << number(meta(map.z_range.first)) << ", point meta max=" << number(meta(map.z_range.second))
            << ", forget plot] coordinates {";
        for (int cell = 0; cell < static_cast<int>(sum.size()); ++cell) {
            const auto at = static_cast<std::size_t>(cell);
            if (!(count[at] > 0) || !std::isfinite(sum[at]))
                continue;
            out << "\n ";
            for (const auto& corner : coarse.corners(cell)) {
                const PlanePlace place = triangle_place(corner[0], corner[1]);
                out << " (" << number_text(place.x, 5) << "," << number_text(place.y, 5) << ") ["
                    << number_text(meta(sum[at] / count[at]), 4) << "]";
            }
        }
        out << "\n};\n";
    }
    /// Runs of equal pixels as rectangles: a figure in pure TeX, without an extra file.
    void operator()(const Pictures& pictures) const
    {
        for (const auto& picture : pictures.pictures) {
            const double left = picture.x - picture.width / 2, top = picture.y + picture.height / 2;
            const double dx = picture.width / picture.columns, dy = picture.height / picture.rows;
            const std::size_t plane = static_cast<std::size_t>(picture.rows) * picture.columns;
            const auto shade        = [&](std::size_t at, int channel) {
                return static_cast<int>(picture.pixels[at + (picture.channels == 3 ? channel : 0) * plane]);
            };
            for (int row = 0; row < picture.rows; ++row)
                for (int first = 0; first < picture.columns;) {
                    const std::size_t at = static_cast<std::size_t>(row) * picture.columns + first;
                    int last             = first;
                    const auto same      = [&](std::size_t other) {
                        return shade(at, 0) == shade(other, 0) && shade(at, 1) == shade(other, 1)
                               && shade(at, 2) == shade(other, 2);
                    };
                    while (last + 1 < picture.columns && same(at + last + 1 - first))
                        ++last;
                    out << "\\fill[fill={rgb,255:red," << shade(at, 0) << ";green," << shade(at, 1) << ";blue,"
                        << shade(at, 2) << "}] (axis cs:" << number_text(left + first * dx, 5) << ","
                        << number_text(top - row * dy, 5)
                        << ") rectangle (axis cs:" << number_text(left + (last + 1) * dx, 5) << ","
                        << number_text(top - (row + 1) * dy, 5) << ");\n";
                    first = last + 1;
                }
            out << "\\draw["
                << (picture.frame ? colour(*picture.frame) + ", line width=1.2pt" : "black!30, line width=0.3pt")
                << "] (axis cs:" << number_text(left, 5) << "," << number_text(top, 5)
                << ") rectangle (axis cs:" << number_text(left + picture.width, 5) << ","
                << number_text(top - picture.height, 5) << ");\n";
            if (picture.caption.empty())
                continue;
            out << "\\node[anchor=north, align=center, inner sep=1pt, font=\\tiny] at (axis cs:"
                << number_text(picture.x, 5) << "," << number_text(top - picture.height, 5) << ") {";
            std::istringstream lines(picture.caption);
            bool first_line = true;
            for (std::string line; std::getline(lines, line); first_line = false)
                out << (first_line ? "" : "\\\\") << tex_text(line);
            out << "};\n";
        }
    }
    void operator()(const Rule& rule) const
    {
        std::string from, to;
        const std::string at = number(rule.at);
        switch (rule.direction) {
        case Rule::Direction::horizontal:
            from.append("(axis cs:\\pgfkeysvalueof{/pgfplots/xmin},").append(at).append(")");
            to.append("(axis cs:\\pgfkeysvalueof{/pgfplots/xmax},").append(at).append(")");
            break;
        case Rule::Direction::vertical:
            from.append("(axis cs:").append(at).append(",\\pgfkeysvalueof{/pgfplots/ymin})");
            to.append("(axis cs:").append(at).append(",\\pgfkeysvalueof{/pgfplots/ymax})");
            break;
        case Rule::Direction::diagonal:   // panels with a diagonal have the same range on both axes
            from = "(rel axis cs:0,0)";
            to   = "(rel axis cs:1,1)";
            break;
        }
        out << "\\draw[" << colour(rule.tone) << ", " << dash(rule.style) << "] " << from << " -- " << to;
        if (!rule.label.empty())
            out << " node[pos=0.97, anchor=south east, font=\\scriptsize] {" << tex_text(rule.label) << "}";
        out << ";\n";
    }
};

}   // namespace

void write_series(std::ostringstream& out, const Series& series) { std::visit(Plotter{out}, series); }

}   // namespace credence::latex
