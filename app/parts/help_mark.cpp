// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_mark.h"

#include "parts/text_size.h"
#include "work/text.h"

#include <QFrame>
#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

HelpMark::HelpMark(const QString& subject, std::function<QString()> text, QWidget* parent)
    : QToolButton(parent), m_text(std::move(text))
{
    setText(QStringLiteral("?"));
    setAutoRaise(true);
    fixWithText(this, 20, 22);
    setFocusPolicy(Qt::NoFocus);   // no stop of the Tab key: F1 on the control opens it
    setToolTip(tr("What is this? (F1 on the control)"));
    setAccessibleName(tr("Help: %1").arg(subject));
    connect(this, &QToolButton::clicked, this, &HelpMark::showPopover);
}

void HelpMark::showPopover()
{
    auto* popover = new QFrame(this, Qt::Popup);
    popover->setObjectName(QStringLiteral("helpPopover"));
    popover->setAttribute(Qt::WA_DeleteOnClose);
    popover->setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    popover->setAutoFillBackground(true);
    auto* label = new QLabel(m_text(), popover);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard
                                   | Qt::LinksAccessibleByMouse);
    label->setOpenExternalLinks(true);
    label->setFixedWidth(withText(360));
    auto* layout = new QVBoxLayout(popover);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->addWidget(label);
    popover->adjustSize();
    const QRect room = screen()->availableGeometry();
    QPoint at        = mapToGlobal(QPoint(width() + 4, 0));
    at.setX(std::min(at.x(), room.right() - popover->width()));
    at.setY(std::min(at.y(), room.bottom() - popover->height()));
    popover->move(std::max(at.x(), room.left()), std::max(at.y(), room.top()));
    popover->show();
    label->setFocus();
}

QString htmlFrom(const std::string& words)
{
    return toQString(words).toHtmlEscaped().replace('\n', QStringLiteral("<br>"));
}
