// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/column_widths.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QMouseEvent>
#include <QStyle>

#include <cmath>
#include <utility>

namespace credence {

namespace {
/// Maximum number of titles per table; beyond that, titles that the table no longer has are deleted
constexpr int mostTitles = 200;

double lineHeight(const QHeaderView& header) { return header.fontMetrics().height(); }

}   // namespace

ColumnWidths::ColumnWidths(QHeaderView* header) : QObject(header), m_header(header)
{
    header->installEventFilter(this);
    header->viewport()->installEventFilter(this);
    connect(header, &QHeaderView::sectionHandleDoubleClicked, this, [this](int column) {
        if (m_widths.remove(titleOf(column)) > 0)
            Q_EMIT changed();
    });
}

/// Returns the title in one line if the model has such a text: whether a title needs two lines
/// depends on the cells below it.
QString ColumnWidths::titleOf(int column) const
{
    const auto* model = m_header->model();
    if (!model || column < 0)
        return {};
    const auto line = model->headerData(column, m_header->orientation(), Qt::AccessibleTextRole).toString();
    return line.isEmpty() ? model->headerData(column, m_header->orientation()).toString().simplified() : line;
}

bool ColumnWidths::isStretched(int column) const
{
    const bool last = m_header->visualIndex(column) == m_header->count() - 1;
    return column == m_stretched || m_header->sectionResizeMode(column) != QHeaderView::Interactive
           || (last && m_header->stretchLastSection());
}

int ColumnWidths::of(int column) const
{
    if (column == m_dragged)
        return m_header->sectionSize(column);
    if (m_widths.isEmpty())
        return 0;
    return static_cast<int>(std::lround(m_widths.value(titleOf(column)) * lineHeight(*m_header)));
}

void ColumnWidths::apply()
{
    for (int column = 0; column < m_header->count(); ++column)
        if (const int width = isStretched(column) ? 0 : of(column); width > 0)
            m_header->resizeSection(column, width);
}

void ColumnWidths::set(const QMap<QString, double>& widths)
{
    m_widths = widths;
    apply();
}

/// Returns the column that a drag from this position resizes, by the rule of QHeaderView; -1: none,
/// or a stretched column.
int ColumnWidths::columnOfEdge(int x) const
{
    const int under = m_header->logicalIndexAt(x);
    if (under < 0)
        return -1;
    const int grip  = m_header->style()->pixelMetric(QStyle::PM_HeaderGripMargin, nullptr, m_header);
    const int start = m_header->sectionViewportPosition(under);
    int visual      = m_header->visualIndex(under);
    if (x < start + grip)
        do
            --visual;
        while (visual >= 0 && m_header->isSectionHidden(m_header->logicalIndex(visual)));
    else if (x <= start + m_header->sectionSize(under) - grip)
        return -1;
    const int column = visual < 0 ? -1 : m_header->logicalIndex(visual);
    return column < 0 || isStretched(column) ? -1 : column;
}

void ColumnWidths::release()
{
    const int column    = std::exchange(m_dragged, -1);
    const QString title = titleOf(column);
    if (column < 0 || title.isEmpty() || m_header->sectionSize(column) == m_before)
        return;
    m_widths[title] = std::round(1000 * m_header->sectionSize(column) / lineHeight(*m_header)) / 1000;
    if (m_widths.size() > mostTitles) {
        QMap<QString, double> current;
        for (int each = 0; each < m_header->count(); ++each)
            if (const auto known = m_widths.constFind(titleOf(each)); known != m_widths.constEnd())
                current.insert(known.key(), known.value());
        m_widths = current;
    }
    Q_EMIT changed();
}

bool ColumnWidths::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_header) {
        if (event->type() == QEvent::FontChange)
            apply();
    } else if (event->type() == QEvent::MouseButtonPress) {
        const auto* press = static_cast<QMouseEvent*>(event);
        m_dragged         = press->button() == Qt::LeftButton ? columnOfEdge(press->position().toPoint().x()) : -1;
        m_before          = m_dragged < 0 ? 0 : m_header->sectionSize(m_dragged);
    } else if (event->type() == QEvent::MouseButtonDblClick) {
        m_dragged = -1;
    } else if (event->type() == QEvent::MouseButtonRelease && m_dragged >= 0) {
        release();
    }
    return QObject::eventFilter(watched, event);
}

}   // namespace credence
