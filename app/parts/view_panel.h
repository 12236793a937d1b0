// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QWidget>

#include <memory>

namespace credence {
class ChartView;
struct View;
}   // namespace credence
class QHBoxLayout;
class QLabel;
class QToolButton;
class QuietParts;

/// One view with a small header: its controls, *Show data*, *Export*, and a help mark.
class ViewPanel : public QWidget {
    Q_OBJECT
public:
    explicit ViewPanel(const credence::View& view, QWidget* parent = nullptr);

    /// The panel that contains this widget, for example the last clicked chart, or that it controls; null: none.
    static const ViewPanel* around(const QWidget* widget);

    const credence::View& view() const { return *m_view; }
    void setView(const credence::View& view);   ///< shows another kind of chart in the same panel
    void setChart(const credence::Chart& chart) { setChart(std::make_shared<const credence::Chart>(chart)); }
    void setChart(std::shared_ptr<const credence::Chart> chart);   ///< not null
    const credence::Chart& chart() const { return *m_chart; }
    std::shared_ptr<const credence::Chart> sharedChart() const { return m_chart; }
    bool hasChart() const { return m_hasChart; }   ///< true if it has a chart of the displayed run and data, see `wait`
    bool isWaiting() const { return m_waits; }     ///< for another chart
    /// Indicates that a chart is being computed: over the last chart, which is dimmed, or instead
    /// of the first one.
    /// @param keep  the last chart still counts as current
    void wait(const QString& words, bool keep);
    void outdate()
    {
        m_outdated = true;
    }   ///< the picture is of other data: it no longer counts while another is computed
    credence::ChartView* chartView() const { return m_picture; }
    /// Replaces the chart by another widget, which listens to chartShown. Null: shows the chart
    /// again.
    void showBy(QWidget* body);
    void copy();                                      ///< the whole figure
    void addControl(QWidget* control, int at = -1);   ///< @param at  index from the left; -1: at the end
    QWidget* takeControls();                          ///< for another header, which leaves more space for the chart
    QWidget* takeTools();                             ///< the three small buttons, likewise

signals:
    void becameVisible();
    void waits(const QString& words, bool keep);   ///< see `wait`
    void exportRequested();
    void chartShown(const credence::Chart& chart);   ///< emitted when a different chart is shown

private:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void fillHeader();
    void nameTables();
    void placeNote();
    void followBody();

    const credence::View* m_view;
    std::shared_ptr<const credence::Chart> m_chart = std::make_shared<const credence::Chart>();
    bool m_hasChart = false, m_outdated = false, m_waits = false;
    QHBoxLayout* m_header;
    QWidget* m_controls;
    QWidget* m_tools;
    QuietParts* m_quiet = nullptr;   ///< the tools, unless they were taken
    QToolButton* m_data;
    QToolButton* m_export;
    credence::ChartView* m_picture;
    QWidget* m_body = nullptr;   ///< null: the picture
    QWidget* m_dim;              ///< over the last picture, while another one is being computed
    QLabel* m_note;              ///< over both
};
