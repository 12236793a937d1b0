// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace credence {

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

}   // namespace credence
