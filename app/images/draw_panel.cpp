// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/draw_panel.h"

#include "images/image_canvas.h"
#include "images/tool_button.h"
#include "parts/help_mark.h"
#include "parts/icons.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>

namespace {

QString help()
{
    return DrawPanel::tr(
        "<b>Draw</b><p>White on black. The pen's width is in pixels of the image; the eraser is twice as "
        "wide.</p><p><b>Centre as MNIST does</b>: the drawing is scaled so that its bounding box just fits 20 of "
        "28 pixels, and shifted so that its centre of mass is in the middle. The small image is what the network "
        "then sees. Without it, the network sees the drawing where you put it. Source: LeCun et al. "
        "1998.</p><p>Keys, with the image in focus: arrows move the pen, Space lowers or lifts it, Ctrl+Z undoes a "
        "stroke.</p>");
}

}   // namespace

DrawPanel::DrawPanel(ImageCanvas& canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas), m_pen(toolButton(QStringLiteral("imagePen"), tr("Pen"), this)),
      m_eraser(toolButton(QStringLiteral("imageEraser"), tr("Eraser"), this)),
      m_undo(toolButton(QStringLiteral("imageUndoStroke"), tr("Undo the last stroke (Ctrl+Z in the image)"), this)),
      m_clear(toolButton(QStringLiteral("imageClear"), tr("Clear the drawing"), this)),
      m_width(new QDoubleSpinBox(this)), m_mainTabs(new QCheckBox(tr("centre as MNIST does"), this))
{
    for (auto* tool : {m_pen, m_eraser}) {
        tool->setCheckable(true);
        tool->setAutoExclusive(true);
    }
    m_pen->setChecked(true);
    m_pen->setIcon(icon(QStringLiteral("pen")));
    m_eraser->setIcon(icon(QStringLiteral("erase")));
    m_undo->setIcon(icon(QStringLiteral("undo")));
    m_clear->setIcon(icon(QStringLiteral("clear")));
    m_width->setObjectName(QStringLiteral("imagePenWidth"));
    m_width->setRange(0.5, 12);
    m_width->setDecimals(1);
    m_width->setSingleStep(0.5);
    m_width->setValue(2.5);
    m_width->setSuffix(tr(" px"));
    m_width->setAccessibleName(tr("Width of the pen, pixels of the image"));
    m_width->setToolTip(tr("Set the width of the pen, in pixels of the image"));
    m_mainTabs->setObjectName(QStringLiteral("imageCentre"));
    m_mainTabs->setChecked(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 0, 0, 0);
    row->setSpacing(2);
    for (QWidget* part : std::initializer_list<QWidget*>{m_pen, m_eraser, m_width, m_undo, m_clear})
        row->addWidget(part);
    row->addWidget(m_mainTabs, 1);
    row->addWidget(new HelpMark(tr("Drawing"), help, this));
    connect(m_width, &QDoubleSpinBox::valueChanged, this, &DrawPanel::setPen);
    connect(m_eraser, &QToolButton::toggled, this, &DrawPanel::setPen);
    connect(m_undo, &QToolButton::clicked, &canvas, &ImageCanvas::undoStroke);
    connect(m_clear, &QToolButton::clicked, &canvas, &ImageCanvas::clearStrokes);
    connect(m_mainTabs, &QCheckBox::toggled, this, &DrawPanel::centringChanged);
    setPen();
}

void DrawPanel::setPen()
{
    const bool erases = m_eraser->isChecked();
    m_canvas.setPen(m_width->value() * (erases ? 2 : 1), erases);
}

bool DrawPanel::centres() const { return m_mainTabs->isChecked(); }

void DrawPanel::setDrawn(bool any)
{
    m_undo->setEnabled(any);
    m_clear->setEnabled(any);
}
