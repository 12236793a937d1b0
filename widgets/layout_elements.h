// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_layout.h"
#include "widgets/chart_palette.h"

#include <qcustomplot.h>

#include <memory>
#include <optional>
#include <vector>

namespace credence {

class TrianglePlottable;

/// A text that does not widen the layout: each line is elided if necessary. With wrapping: as many
/// lines as fit.
class TextElement : public QCPLayoutElement {
public:
    explicit TextElement(QCustomPlot* plot);
    void setText(const QString& text, const QFont& font, const QColor& colour);
    void setWrapped(bool wrapped) { m_wrapped = wrapped; }
    QString text() const { return m_text; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override;
    QSize minimumOuterSizeHint() const override;

private:
    int height() const;

    QString m_text;
    QFont m_font;
    QColor m_colour;
    bool m_wrapped = false;
};

/// The style of one series in one colour, shared by the plottable and its legend entry.
QPen linePen(const Line& line, const ChartPalette& palette, double pixelsPerPoint);
QCPScatterStyle scatterStyle(const Points& points, const ChartPalette& palette, double pixelsPerPoint);

/// The marker at a few points of a curve that differs from another curve of the panel only in
/// colour; none if line styles differ, or for a single curve.
QCPScatterStyle curveMarker(const Line& line, const Panel& panel, const ChartPalette& palette, double pixelsPerPoint);
/// Number of points between two such markers on a curve of `n` points.
int betweenMarkers(std::size_t n);

struct LegendEntry {
    QString text;
    QPen line{Qt::NoPen};        ///< a short line
    QBrush patch{Qt::NoBrush};   ///< a filled rectangle
    QCPScatterStyle marker;
    QColor colour{};   ///< for a legend entry that is a coloured word
};

/// The symbol of an entry.
void drawLegendIcon(QCPPainter* painter, const LegendEntry& entry, const QRectF& place);

/// One entry per named series, and one per category of a region map. A repeated name is listed
/// once.
std::vector<LegendEntry> legendEntries(const Panel& panel, const ChartPalette& palette, double pixelsPerPoint);

/// Legend entries in rows as wide as the panel, below the data, so that they never cover it.
class LegendBox : public QCPLayoutElement {
public:
    explicit LegendBox(QCustomPlot* plot);
    void setEntries(std::vector<LegendEntry> entries, const QFont& font, const QColor& colour);
    /// Uses the height that the entries need at this width, at most `heightLimit` pixels; entries
    /// that do not fit are counted ("+3").
    /// @param whole  first reduces the font size
    void fit(int width, int heightLimit, bool whole = false);
    int neededHeight() const { return m_neededHeight; }   ///< by the last fit
    void setHeight(int height);                           ///< more than needed: entries are at the top

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override;

private:
    double entryWidth(const LegendEntry& entry) const;
    void place(int width, int heightLimit);

    std::vector<LegendEntry> m_entries;
    std::vector<QRectF> m_places;   ///< relative to the element's corner
    QFont m_font, m_stated;         ///< that of the last fit, and the maximum
    QColor m_colour;
    int m_hidden       = 0;
    int m_neededHeight = 0;
};

/// The name of the x axis of a compact panel without a map. It is placed next to the axis numbers
/// if it covers no data there, otherwise at the lower right, below the numbers.
class AxisName : public QCPLayerable {
public:
    explicit AxisName(QCPAxisRect* rect);
    void setContent(const QString& text, const QColor& colour, const QFont& font);

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override;

private:
    QRectF nextToNumbers() const;
    QRectF nextToNumbers(double gap) const;

    QCPAxisRect* m_rect;
    QString m_text;
    QColor m_colour;
    QFont m_font;
};

/// The text of a compact panel, inside its axes: the panel's name and the name of the y axis at the
/// upper left, the name of the x axis at the lower right, and at the upper right the legend as
/// coloured words or the colour key. A map that fills its area has both legend and colour key.
class PanelWords : public QCPLayerable {
public:
    struct Content {
        QString title, x, y;   ///< empty: none
        std::vector<LegendEntry> legend;
        std::optional<ColourScale> scale;
        bool overMap = false;   ///< words need an opaque ground
        bool cells   = false;   ///< of a table of classes, each with its number: words do not cover them
        bool filling = false;   ///< room for the legend below the key of the colours
        const TrianglePlottable* triangle = nullptr;   ///< whose names words do not cover; null: none
    };
    /// @param cell  that contains the panel, including unused space to its left and right
    PanelWords(QCPAxisRect* rect, const QCPLayoutElement* cell);
    void setContent(Content content, const ChartPalette& palette, const QFont& font);
    bool overMap() const { return m_content.overMap; }
    bool overCells() const { return m_content.cells; }
    /// Draws the words at the top this many pixels above the panel, where there is space.
    void setAbove(double pixels) { m_above = pixels; }
    /// Returns the height of the words at the top of a panel of this size, pixels.
    double headHeight(const QSizeF& panel) const;
    /// Returns the width at which title and colour key fit to the left and right of the name of the
    /// upper corner of a triangle, pixels; 0: there are no words, or it is no triangle.
    double widthAroundTop() const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override;

private:
    /// Words and their widths; null: the number of words that do not fit.
    using LegendRow = std::vector<std::pair<const LegendEntry*, double>>;
    std::vector<LegendRow> legendRows(const QSizeF& place) const;
    void drawText(QCPPainter* painter, const QRectF& place, const QString& text, const QColor& colour) const;
    bool onCards() const { return m_content.overMap && m_above == 0; }   ///< above a map there is no colour
    void drawCard(QCPPainter* painter, const QRectF& place) const;       ///< behind words on a map
    bool fitsBeside(const QSizeF& panel) const;
    QString titleIn(double width) const;
    double namesWidth(double panel) const;
    double scaleWidth() const;
    bool scaleFits(double width) const;
    QRectF area() const;
    void drawAroundTop(QCPPainter* painter, const QRectF& panel) const;
    void drawLegend(QCPPainter* painter, const QRectF& place) const;
    void drawScale(QCPPainter* painter, const QRectF& place) const;

    std::unique_ptr<AxisName> m_axisName;
    QCPAxisRect* m_rect;
    const QCPLayoutElement* m_cell;
    double m_above = 0;
    Content m_content;
    ChartPalette m_palette;
    QColor m_ground;
    QFont m_font;
};

}   // namespace credence
