// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_view.h"

#include <QCoreApplication>
#include <QImage>
#include <QPalette>

#include <gmock/gmock.h>

namespace credence {

/// Lets queued replots happen.
inline void settle()
{
    for (int k = 0; k < 4; ++k)
        QCoreApplication::processEvents();
}

inline QPalette lightPalette()
{
    QPalette palette;
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        palette.setColor(group, QPalette::Base, QColor(QRgb{0xffffff}));
        palette.setColor(group, QPalette::Window, QColor(QRgb{0xf0f0f0}));
        palette.setColor(group, QPalette::Text, QColor(QRgb{0x101010}));
    }
    return palette;
}

inline QPalette darkPalette()
{
    QPalette palette;
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        palette.setColor(group, QPalette::Base, QColor(QRgb{0x23262b}));
        palette.setColor(group, QPalette::Window, QColor(QRgb{0x2b2e34}));
        palette.setColor(group, QPalette::Text, QColor(QRgb{0xe6e7ea}));
    }
    return palette;
}

inline const ChartPalette& screenPalette()
{
    static const ChartPalette palette = ChartPalette::forScreen(lightPalette());
    return palette;
}

/// A shown ChartView of a size.
struct Shown {
    explicit Shown(const Chart& chart, QSize size = {500, 400}, const QPalette& palette = lightPalette())
    {
        view.setPalette(palette);
        view.resize(size);
        view.show();
        set(chart);
    }
    void set(const Chart& chart)
    {
        view.setChart(chart);
        settle();
    }
    QImage picture() { return view.grab().toImage(); }
    /// The pixel at a point of a panel.
    QColor at(double x, double y, int panel = 0)
    {
        return picture().pixelColor(view.positionOf(panel, x, y).toPoint());
    }
    ChartView view;
};

inline void expectColour(const QColor& found, const QColor& expected, int tolerance = 2)
{
    EXPECT_NEAR(found.red(), expected.red(), tolerance) << found.name().toStdString();
    EXPECT_NEAR(found.green(), expected.green(), tolerance) << found.name().toStdString();
    EXPECT_NEAR(found.blue(), expected.blue(), tolerance) << found.name().toStdString();
}

/// How many pixels inside a panel are within `tolerance` of a colour in each channel.
inline int countPixels(const QImage& picture, QRect panel, QColor colour, int tolerance = 8)
{
    int n = 0;
    for (int y = panel.top(); y <= panel.bottom(); ++y)
        for (int x = panel.left(); x <= panel.right(); ++x) {
            const QColor c = picture.pixelColor(x, y);
            n += std::abs(c.red() - colour.red()) <= tolerance && std::abs(c.green() - colour.green()) <= tolerance
                 && std::abs(c.blue() - colour.blue()) <= tolerance;
        }
    return n;
}

/// A chart of one panel with 0 to 1 on both axes.
inline Chart unitChart(std::vector<Series> series)
{
    Panel panel;
    panel.x.range = panel.y.range = Range{0, 1};
    panel.series                  = std::move(series);
    Chart chart;
    chart.id     = "unit";
    chart.title  = "Unit square";
    chart.panels = {panel};
    return chart;
}

}   // namespace credence
