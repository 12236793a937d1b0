// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layout_elements.h"

namespace credence {

TextElement::TextElement(QCustomPlot* plot) : QCPLayoutElement(plot) { setMargins(QMargins(0, 0, 0, 0)); }

void TextElement::setText(const QString& text, const QFont& font, const QColor& colour)
{
    m_text   = text;
    m_font   = font;
    m_colour = colour;
    if (!m_wrapped) {
        setMinimumSize(0, height());
        setMaximumSize(QWIDGETSIZE_MAX, height());
    }
}

int TextElement::height() const
{
    return QFontMetrics(m_font).height() * (1 + static_cast<int>(m_text.count(QLatin1Char('\n')))) + 2;
}

QSize TextElement::minimumOuterSizeHint() const { return {0, m_wrapped ? 0 : height()}; }

void TextElement::draw(QCPPainter* painter)
{
    if (!rect().isValid())   // a plot of zero size has no layout
        return;
    painter->setFont(m_font);
    painter->setPen(m_colour);
    if (m_wrapped) {
        painter->drawText(rect().adjusted(12, 8, -12, -8),
                          static_cast<int>(Qt::AlignCenter) | static_cast<int>(Qt::TextWordWrap), m_text);
        return;
    }
    QStringList lines = m_text.split(QLatin1Char('\n'));
    for (QString& line : lines)
        line = QFontMetrics(m_font).elidedText(line, Qt::ElideRight, rect().width());
    painter->drawText(rect(), Qt::AlignCenter, lines.join(QLatin1Char('\n')));
}

}   // namespace credence
