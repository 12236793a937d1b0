// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_palette.h"

#include <QPalette>

#include <algorithm>
#include <cmath>

namespace credence {

double relativeLuminance(const QColor& colour)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(static_cast<double>(colour.redF())) + 0.7152 * linear(static_cast<double>(colour.greenF()))
           + 0.0722 * linear(static_cast<double>(colour.blueF()));
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double first = relativeLuminance(a), second = relativeLuminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor laidOver(const QColor& over, const QColor& ground, double opacity)
{
    const auto channel = [opacity](int a, int b) {
        return static_cast<int>(std::lround(opacity * a + (1 - opacity) * b));
    };
    return {channel(over.red(), ground.red()), channel(over.green(), ground.green()),
            channel(over.blue(), ground.blue())};
}

QColor blackOrWhite(const QColor& ground)
{
    const QColor black(0, 0, 0), white(255, 255, 255);
    return contrastRatio(black, ground) >= contrastRatio(white, ground) ? black : white;
}

QColor legible(const QColor& colour, const QColor& ground)
{
    constexpr int steps = 50;
    const QColor end    = blackOrWhite(ground);
    const QColor shown  = laidOver(colour, ground, colour.alphaF());
    for (int step = 0; step < steps; ++step) {
        const QColor tried = laidOver(end, shown, static_cast<double>(step) / steps);
        if (contrastRatio(tried, ground) >= leastTextContrast)
            return tried;
    }
    return end;
}

namespace {

std::vector<QColor> colours(std::initializer_list<const char*> names)
{
    std::vector<QColor> result;
    for (const char* name : names)
        result.emplace_back(QLatin1String(name));
    return result;
}

}   // namespace

ChartPalette ChartPalette::light()
{
    ChartPalette p;
    p.background = QColor(0xffffff);
    p.text       = QColor(0x202124);
    p.muted      = QColor(0x666b73);
    p.grid       = QColor(0xe4e6ea);
    p.frame      = QColor(0x8b9098);
    p.accent     = QColor(0x1a6fd4);
    p.data       = QColor(0x3c4046);
    p.prior      = QColor(0xaa4499);
    p.posterior  = QColor(0x0072b2);
    p.training   = QColor(0x0072b2);
    p.test       = QColor(0xd55e00);
    p.right      = QColor(0x009e73);
    p.wrong      = QColor(0xd55e00);
    p.outline    = QColor(0xffffff);
    p.categories = {QColor(0x0072b2), QColor(0xe69f00), QColor(0x009e73), QColor(0xcc79a7),
                    QColor(0x56b4e9), QColor(0xd55e00), QColor(0xf0e442), QColor(0x5b5f66)};
    return p;
}

ChartPalette ChartPalette::dark()
{
    ChartPalette p;
    p.background = QColor(0x1e2024);
    p.text       = QColor(0xe6e7ea);
    p.muted      = QColor(0x969ba5);
    p.grid       = QColor(0x33363c);
    p.frame      = QColor(0x777c86);
    p.accent     = QColor(0x6db3ff);
    p.data       = QColor(0xd5d8dd);
    p.prior      = QColor(0xe08fcd);
    p.posterior  = QColor(0x4fb0ea);
    p.training   = QColor(0x4fb0ea);
    p.test       = QColor(0xff8b3d);
    p.right      = QColor(0x2ec79b);
    p.wrong      = QColor(0xff8b3d);
    p.outline    = QColor(0x101114);
    p.categories = {QColor(0x3e9fe0), QColor(0xf0ad1e), QColor(0x2ec79b), QColor(0xe08fbd),
                    QColor(0x8fd0f7), QColor(0xf47a2a), QColor(0xf3e95c), QColor(0xb4b8c0)};
    return p;
}

ChartPalette ChartPalette::print()
{
    ChartPalette p = light();
    p.text         = QColor(QRgb{0x000000});
    p.data         = QColor(QRgb{0x000000});
    p.frame        = QColor(0x404040);
    p.muted        = QColor(0x666666);
    return p;
}

ChartPalette ChartPalette::forScreen(const QPalette& palette)
{
    const QColor ground = palette.color(QPalette::Active, QPalette::Base);
    ChartPalette p      = ground.lightness() < 128 ? dark() : light();
    p.background        = ground;
    p.text              = palette.color(QPalette::Active, QPalette::Text);
    p.grid              = laidOver(p.text, ground, 0.12);
    p.frame             = laidOver(p.text, ground, 0.5);
    p.muted             = legible(p.muted, ground);   // used for captions
    return p;
}

QColor ChartPalette::category(int index) const
{
    const int n = static_cast<int>(categories.size());
    return categories[static_cast<std::size_t>(((index % n) + n) % n)];
}

QColor ChartPalette::region(int index) const { return laidOver(category(index), background, regionOpacity); }

QColor ChartPalette::colour(Tone tone) const
{
    switch (tone.kind) {
    case Tone::Kind::category: return category(tone.index);
    case Tone::Kind::neutral: return text;
    case Tone::Kind::muted: return muted;
    case Tone::Kind::accent: return accent;
    case Tone::Kind::data: return data;
    case Tone::Kind::prior: return prior;
    case Tone::Kind::posterior: return posterior;
    case Tone::Kind::training: return training;
    case Tone::Kind::test: return test;
    case Tone::Kind::right: return right;
    case Tone::Kind::wrong: return wrong;
    case Tone::Kind::level: {
        const bool dark    = background.lightness() < 128;   // leaves out the end with little contrast
        const double share = static_cast<double>(tone.index) / (n_levels - 1);
        return mapColour(ColourMap::viridis, dark ? 0.25 + 0.75 * share : 0.8 * share);
    }
    }
    return text;
}

Marker categoryMarker(int index)
{
    constexpr std::array markers{Marker::circle,  Marker::square, Marker::triangle,
                                 Marker::diamond, Marker::cross,  Marker::plus};
    const int n = static_cast<int>(markers.size());
    return markers[static_cast<std::size_t>(((index % n) + n) % n)];
}

const std::vector<QColor>& anchors(ColourMap map)
{
    static const auto viridis = colours(
        {"#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"});
    static const auto cividis = colours(
        {"#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"});
    static const auto diverging = colours({"#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7",
                                           "#f4a582", "#d6604d", "#b2182b", "#67001f"});
    switch (map) {
    case ColourMap::viridis: return viridis;
    case ColourMap::cividis: return cividis;
    case ColourMap::diverging: return diverging;
    }
    return viridis;
}

QColor mapColour(ColourMap map, double share)
{
    const auto& list = anchors(map);
    const double at  = std::clamp(share, 0.0, 1.0) * static_cast<double>(list.size() - 1);
    const auto left  = std::min(static_cast<std::size_t>(at), list.size() - 2);
    return laidOver(list[left + 1], list[left], at - static_cast<double>(left));
}

}   // namespace credence
