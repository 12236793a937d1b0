// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/column_lines.h"

#include "formats/column_proposals.h"
#include "parts/appearance.h"
#include "work/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace credence;

QString rangeText(const ColumnSummary& summary) { return toQString(range_text(summary)); }

std::vector<ColumnLine> columnLines(CsvPreview preview)
{
    preview.targets.clear();   // they are described like the others
    std::vector<ColumnLine> lines;
    for (const auto& proposal : propose_columns(preview))
        lines.push_back({.kind         = toQString(name_of(proposal.kind)),
                         .reason       = toQString(proposal.reason),
                         .unit         = toQString(unit_in_name(proposal.name)),
                         .useful       = proposal.use,
                         .mayBeClasses = proposal.may_be_codes});
    return lines;
}

namespace {

constexpr int pictureWidth = 200, barsHeight = 40;   ///< pixels at the usual size of text

}   // namespace

ColumnPicture::ColumnPicture(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("importPicture"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

QSize ColumnPicture::sizeHint() const
{
    return {withText(pictureWidth), withText(barsHeight) + fontMetrics().height() + 2};
}

void ColumnPicture::setColumn(const CsvColumn& column, bool classes)
{
    const auto& summary = column.summary;
    m_counts            = summary.counts;
    m_classes           = classes;
    if (classes && !column.categorical)
        std::erase(m_counts, 0U);   // each of a few numbers has a bin of its own
    const auto rows = std::accumulate(m_counts.begin(), m_counts.end(), std::size_t{0});
    if (m_counts.empty() || rows == 0)
        return clear();
    const auto [fewest, most] = std::ranges::minmax(m_counts);
    const auto percent        = [&](std::size_t n) { return std::lround(100.0 * double(n) / double(rows)); };
    if (classes)
        m_caption = tr("%1 classes, %2–%3 % of rows").arg(m_counts.size()).arg(percent(fewest)).arg(percent(most));
    else
        m_caption = rangeText(summary);
    setToolTip(classes ? tr("The rows of each class of the target") : tr("Histogram of the target"));
    setAccessibleName(toolTip());
    setAccessibleDescription(m_caption);
    show();
    update();
}

void ColumnPicture::clear()
{
    m_counts.clear();
    m_caption.clear();
    setToolTip({});
    hide();   // no hole in its row
}

void ColumnPicture::paintEvent(QPaintEvent*)
{
    if (m_counts.empty())
        return;
    QPainter painter(this);
    const double most   = double(*std::ranges::max_element(m_counts));
    const int line      = fontMetrics().height();
    const double height = this->height() - line - 2, step = double(width()) / double(m_counts.size());
    const double gap = m_classes && step > 4 ? 2 : 0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    for (std::size_t k = 0; k < m_counts.size(); ++k) {
        const double bar = m_counts[k] == 0 ? 0 : std::max(1.0, height * double(m_counts[k]) / most);
        painter.drawRect(QRectF(double(k) * step, height - bar, std::max(1.0, step - gap), bar));
    }
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, this->height() - line, width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_caption, Qt::ElideRight, width()));
}
