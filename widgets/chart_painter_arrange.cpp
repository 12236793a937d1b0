// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the chart to the current size of its plot.
#include "widgets/chart_painter.h"

#include "widgets/layout_elements.h"
#include "widgets/legend_entries.h"
#include "widgets/plottables.h"

#include <algorithm>
#include <cmath>

namespace credence {

void ChartPainter::layOut()
{
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot->plotLayout()->update(phase);
}

void ChartPainter::arrange()
{
    const int gap              = static_cast<int>(std::lround(5 * m_scale.pixelsPerPoint));
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    outer->setMargins(QMargins(gap, gap, gap, gap));
    outer->setRowSpacing(2);
    if (m_panels.empty())
        return;
    m_body->setColumnSpacing(gap);
    m_grid->setColumnSpacing(2 * gap);
    m_grid->setRowSpacing(2 * gap);
    const int overhang = QFontMetrics(m_scale.tickFont()).height() / 2 + 1;
    for (PanelParts& parts : m_panels)
        parts.axes->setMinimumMargins(QMargins(2, overhang, overhang, 2));
    // Labels depend on the space and the space on the labels: the second pass settles both.
    for (int pass = 0; pass < 2; ++pass) {
        fitTexts();
        fitAspect();
    }
    fitTexts();
}

void ChartPainter::fitTexts()
{
    layOut();
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        PanelParts& parts  = m_panels[k];
        const QRect inside = parts.axes->rect();
        axisStyle().fit(parts.axes->axis(QCPAxis::atBottom), m_chart.panels[k].x, inside.width(),
                        countsBars(m_chart.panels[k]));
        axisStyle().fit(parts.axes->axis(QCPAxis::atLeft), m_chart.panels[k].y, inside.height());
        if (parts.bar)
            axisStyle().fitBar(parts.bar, *colourScale(m_chart.panels[k]), inside.height());
        if (parts.legend)
            parts.legend->fit(parts.cell->outerRect().width(),
                              static_cast<int>((m_scale.whole ? 0.5 : 0.3) * parts.cell->outerRect().height()),
                              m_scale.whole);
    }
    for (std::size_t k = 0; k < m_panels.size(); ++k) {
        const auto row = neighbours(k, m_panels.size(), m_columns);
        int height     = 0;
        for (auto n = row.first; n < row.second; ++n)
            if (const auto* legend = m_panels[static_cast<std::size_t>(n)].legend)
                height = std::max(height, legend->neededHeight());
        if (m_panels[k].legend)
            m_panels[k].legend->setHeight(height);
    }
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    if (m_sharedBar) {
        const int top    = m_panels.front().axes->rect().top() - m_grid->rect().top();
        const int bottom = m_grid->rect().bottom() - m_panels.back().axes->rect().bottom();
        m_sharedBar->setMargins(QMargins(0, std::max(top, 0), 0, std::max(bottom, 0)));
        axisStyle().fitBar(m_sharedBar, *colourScale(m_chart.panels.front()), m_grid->rect().height() - top - bottom);
    }
    if (m_sharedLegend)
        m_sharedLegend->fit(outer->rect().width(),
                            static_cast<int>((m_scale.whole ? 0.5 : 0.25) * outer->rect().height()), m_scale.whole);
    layOut();
}

/// With equal units in x and y, unused space becomes margin: horizontally only for the panels, so
/// that legends keep the full width; vertically for everything.
void ChartPainter::fitAspect()
{
    const auto surplus = [this](std::size_t k) {
        const QRect inside = m_panels[k].axes->rect();
        const double ratio = m_panels[k].axes->axis(QCPAxis::atBottom)->range().size()
                             / m_panels[k].axes->axis(QCPAxis::atLeft)->range().size();
        const double width  = std::min<double>(inside.width(), inside.height() * ratio),
                     height = std::min<double>(inside.height(), inside.width() / ratio);
        return QSize(inside.width() - static_cast<int>(std::lround(width)),
                     inside.height() - static_cast<int>(std::lround(height)));
    };
    const auto sides           = [](int width) { return QMargins(width / 2, 0, width - width / 2, 0); };
    const auto topDown         = [](int height) { return QMargins(0, height / 2, 0, height - height / 2); };
    QCPLayoutGrid* const outer = m_plot->plotLayout();
    const int gap              = static_cast<int>(std::lround(5 * m_scale.pixelsPerPoint));
    outer->setMargins(QMargins(gap, gap, gap, gap));
    m_body->setMargins({});
    for (PanelParts& parts : m_panels) {
        parts.cell->setMargins({});
        parts.body->setMargins({});
    }
    if (std::none_of(m_chart.panels.begin(), m_chart.panels.end(),
                     [](const Panel& panel) { return panel.equal_aspect; }))
        return;
    layOut();
    if (std::all_of(m_chart.panels.begin(), m_chart.panels.end(),
                    [](const Panel& panel) { return panel.equal_aspect; })) {
        QSize least = surplus(0);
        for (std::size_t k = 1; k < m_panels.size(); ++k)
            least = least.boundedTo(surplus(k));
        const int rows = (panelCount() + m_columns - 1) / m_columns;
        m_body->setMargins(sides(least.width() * std::min(m_columns, panelCount())));
        outer->setMargins(outer->margins() + topDown(least.height() * rows));
        layOut();
    }
    for (std::size_t k = 0; k < m_panels.size(); ++k)
        if (m_chart.panels[k].equal_aspect) {
            const QSize rest = surplus(k);
            m_panels[k].body->setMargins(sides(rest.width()));
            m_panels[k].cell->setMargins(topDown(rest.height()));
        }
}

}   // namespace credence
