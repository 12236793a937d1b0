// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "widgets/chart_palette.h"

#include <QImage>
#include <qcustomplot.h>

#include <vector>

namespace credence {

struct DrawScale;

/// Common base of plottables: they follow their axes, cannot be selected and set
/// no ranges (panelRanges does).
class PassivePlottable : public QCPAbstractPlottable {
public:
    using QCPAbstractPlottable::QCPAbstractPlottable;
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain = QCP::sdBoth) const override
    {
        found = false;
        return {};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain = QCP::sdBoth, const QCPRange& = QCPRange()) const override
    {
        found = false;
        return {};
    }

protected:
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}   // LegendBox draws its own
};

/// A line clipped slightly outside its panel: a density that rises to 1e9 must not write
/// coordinates far off the page.
class ClippedGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
    void drawFill(QCPPainter* painter, QVector<QPointF>* lines) const override;
};

/// The parts of a polyline inside a rectangle; NaN breaks it.
std::vector<QVector<QPointF>> clippedPolyline(const QVector<QPointF>& points, const QRectF& inside);

/// Boxes and interval bars, each in its own colour.
class SpreadPlottable : public PassivePlottable {
public:
    struct Item {
        double position = 0, lower = 0, low = 0, centre = 0, high = 0,
               upper = 0;   ///< box from low to high; none if they are equal to centre
        std::vector<double> outliers;
        QColor colour;
        bool box = true;     ///< false: a bar from lower to upper with a dot at centre
        QColor rim;          ///< around box or dot; invalid: none
        bool thin = false;   ///< of a bar: a pale line without caps and dot
    };
    using PassivePlottable::PassivePlottable;
    void setItems(std::vector<Item> items, double width, double pixelsPerPoint);

protected:
    void draw(QCPPainter* painter) override;

private:
    QPointF at(double position, double value) const;
    void drawBox(QCPPainter* painter, const Item& item) const;
    void drawInterval(QCPPainter* painter, const Item& item) const;

    std::vector<Item> m_items;
    double m_width          = 0.6;
    double m_pixelsPerPoint = 1;
};

/// Bars with a text at the end of each.
class LabelledBars : public QCPBars {
public:
    using QCPBars::QCPBars;
    void setLabels(const std::vector<std::string>& labels, const QColor& colour, const QFont& font);

protected:
    void draw(QCPPainter* painter) override;

private:
    QStringList m_labels;   ///< in the order of the bars, whose positions increase; empty: none
    QColor m_colour;
    QFont m_font;
};

/// A line across the panel, with its label at the end.
class RulePlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    void setRule(const Rule& rule, const QColor& colour, const QColor& ground, const DrawScale& scale);

protected:
    void draw(QCPPainter* painter) override;

private:
    Rule m_rule;
    QColor m_colour, m_ground;
    QFont m_font;
    bool m_lower = false;   ///< the label is placed away from the words at the top of a compact panel
};

/// Short texts next to the points of a series, at their upper right.
class LabelsPlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    void setLabels(const Points& points, const ChartPalette& palette, const QFont& font, double pixelsPerPoint);

protected:
    void draw(QCPPainter* painter) override;

private:
    Points m_points;
    QColor m_text, m_ground;
    QFont m_font;
    double m_radius = 0;   ///< of the markers, in pixels
};

/// Marks the beginning and end of a panel's series in an SVG, because QSvgGenerator does not
/// support clipping. `clipPanels` turns the marks into a clip path. Draws nothing in other formats.
class ClipMark : public QCPLayerable {
public:
    ClipMark(QCPAxisRect* rect, int panel, bool begin);
    static QColor colour(int panel, bool begin);

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override;

private:
    QCPAxisRect* m_rect;
    int m_panel;
    bool m_begin;
};

/// Converts to a QImage of the same size, row 0 at the top; null if the sizes do not match.
QImage imageOf(const Picture& picture);

/// Images with unsmoothed pixels, each with a frame and a caption below.
class PicturesPlottable : public PassivePlottable {
public:
    using PassivePlottable::PassivePlottable;
    void setPictures(const Pictures& pictures, const ChartPalette& palette, const QFont& font, double pixelsPerPoint);

protected:
    void draw(QCPPainter* painter) override;

private:
    struct Item {
        QRectF place;   ///< in coordinates, y downwards from the larger one
        QImage image;
        QStringList caption;
        QPen frame;
    };
    void drawCaption(QCPPainter* painter, QStringList lines, const QRectF& below, double room) const;

    std::vector<Item> m_items;
    double m_captionRoom = 0;   ///< in units of y; 0: no limit
    QFont m_font;
    QColor m_text;
};

}   // namespace credence
