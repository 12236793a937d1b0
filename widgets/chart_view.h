// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/data_rows.h"
#include "widgets/chart_palette.h"

#include <QPointF>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>

class QAction;
class QBoxLayout;
class QCustomPlot;
class QStackedWidget;

namespace credence {

struct DrawScale;
class ChartHand;
class ChartPainter;
class ColumnWidths;
class MarkLayer;
class TableView;
class ChartSpeech;

/// A mark in the first panel or in each: a point, or without y a line across. Drawn over the chart
/// in the selection colour. It is not part of the chart, and moving it redraws nothing else.
struct ChartMark {
    double x = 0;
    std::optional<double> y;
    bool everywhere                         = false;   ///< in every panel, whose axes have the same meaning
    bool operator==(const ChartMark&) const = default;
};

/// Draws one Chart. Replots are queued; a chart with the same structure as the previous one only
/// updates data, so that live views are fast. Colours follow the palette. Actions (context menu):
/// copy, export, show data, whole range.
class ChartView : public QWidget {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    void setChart(const Chart& chart) { setChart(std::make_shared<const Chart>(chart)); }
    void setChart(std::shared_ptr<const Chart> chart);   ///< not null
    const Chart& chart() const { return *m_shown; }
    const std::shared_ptr<const Chart>& sharedChart() const { return m_shown; }

    using Mark = ChartMark;
    void setMark(const std::optional<Mark>& mark);
    std::optional<Mark> mark() const;
    /// Marks the points that correspond to this row by squares, in this chart and in subsequent
    /// ones. Empty: none.
    void setMarkedRow(const std::optional<DataRow>& row);
    const std::optional<DataRow>& markedRow() const { return m_markedRow; }
    /// Makes a chart with a single map fill the view at any size: axis names, colour key and legend
    /// are inside.
    void setMapFills(bool fills);
    /// Added to copied figures, so that a pasted figure can restore its Study.
    void setStudyJson(const QByteArray& studyJson) { m_studyJson = studyJson; }
    const QByteArray& studyJson() const { return m_studyJson; }

    ChartHand& hand() const { return *m_hand; }         ///< reports clicks and drags on the chart
    ChartSpeech& spoken() const { return *m_speech; }   ///< movable items on the chart

    /// The context menu.
    struct Offers {
        QAction *copy, *exportFigure, *showData, *resetZoom;   ///< showData is checkable
    };
    const Offers& offers() const { return m_offers; }

    /// Position of a panel's point in this widget, and the rectangle inside the panel's axes; empty
    /// for a missing panel.
    QPointF positionOf(int panel, double x, double y) const;
    QRect panelRect(int panel) const;
    /// The current axis ranges of a panel in x and y; empty for a missing panel.
    std::optional<std::pair<Range, Range>> shownRange(int panel) const;
    QSize sizeHint() const override { return {420, 320}; }
    QSize minimumSizeHint() const override { return {140, 80}; }
    ColumnWidths& tableWidths() const;   ///< of the chart's own table
    ColumnWidths& dataWidths() const;    ///< of the table of its data
    int rebuilds() const;                ///< number of times the plottables were recreated

signals:
    void exportRequested();
    void dataShown(bool shown);
    void chartChanged();   ///< a different chart is displayed
    void redrawn();        ///< positions may have changed, by a new size, range or layout
    /// A point or a table row that corresponds to this row of the data was clicked, or selected
    /// with Enter.
    void rowClicked(const credence::DataRow& row);
    /// A bar that counts rows of the data was clicked.
    void barClicked(const credence::RowsOfBar& bar);

public slots:
    void copy();
    void showData(bool shown);
    void resetZoom();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    DrawScale scaleFor(QSize size, int columns) const;
    QSize showTable();
    void connectRows();
    void markRow();

    std::shared_ptr<const Chart> m_shown = std::make_shared<const Chart>();
    std::optional<DataRow> m_markedRow;
    bool m_mapFills = false;
    QByteArray m_studyJson;
    std::unique_ptr<ChartSpeech> m_speech;   ///< before the widgets: a reader may query it while they are created
    QStackedWidget* m_pages;
    QWidget* m_picture;   ///< contains the plot and the table
    QBoxLayout* m_pair = nullptr;
    QCustomPlot* m_plot;
    TableView* m_table;   ///< the chart's own table, below the panels or next to them
    TableView* m_data;    ///< the data table of the chart
    std::unique_ptr<ChartPainter> m_painter;
    Offers m_offers;
    std::shared_ptr<const Chart> m_afterPress;   ///< set while a button was pressed on a panel missing from it
    MarkLayer* m_marks;
    ChartHand* m_hand;
};

}   // namespace credence
