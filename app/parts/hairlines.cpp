// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/hairlines.h"

#include "widgets/chart_palette.h"

#include <QPainter>
#include <QPalette>
#include <QSplitterHandle>

namespace {

class HairlineHandle : public QSplitterHandle {
public:
    using QSplitterHandle::QSplitterHandle;

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(hairlineColour(palette()));
        if (orientation() == Qt::Horizontal)
            painter.drawLine(width() / 2, 0, width() / 2, height());
        else
            painter.drawLine(0, height() / 2, width(), height() / 2);
    }
};

}   // namespace

QColor hairlineColour(const QPalette& palette)
{
    return credence::laidOver(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.15);
}

HairlineSplitter::HairlineSplitter(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent)
{
    setChildrenCollapsible(false);
    setHandleWidth(5);
}

QSplitterHandle* HairlineSplitter::createHandle() { return new HairlineHandle(orientation(), this); }
