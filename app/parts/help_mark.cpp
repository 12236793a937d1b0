// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_mark.h"

#include "parts/appearance.h"
#include "parts/help_text.h"
#include "work/text.h"

#include <QApplication>
#include <QFrame>
#include <QKeyEvent>
#include <QPointer>
#include <QScreen>
#include <QScrollBar>
#include <QVBoxLayout>
#include <QVariant>

#include <cmath>

namespace {

constexpr double greatestPopover = 0.6;          ///< of the height of the screen
constexpr int popoverMargin      = 11;           ///< around the text
constexpr const char* markKey    = "helpMark";   ///< property of a control

}   // namespace

HelpMark::HelpMark(const QString& subject, std::function<QString()> text, QWidget* parent)
    : HelpMark(subject, std::move(text), {parent}, parent)
{}

HelpMark::HelpMark(const QString& subject, std::function<QString()> text, std::initializer_list<QWidget*> controls,
                   QWidget* parent)
    : QToolButton(parent), m_text(std::move(text))
{
    setAutoRaise(true);
    fixWithText(this, 20, 22);
    setFocusPolicy(Qt::NoFocus);   // no stop of the Tab key: F1 on the control opens it
    setToolTip(tr("Show help (F1 on the control)"));
    setAccessibleName(tr("Help: %1").arg(subject));
    connect(this, &QToolButton::clicked, this, &HelpMark::showPopover);
    for (auto* control : controls)
        if (control)
            control->setProperty(markKey, QVariant::fromValue(QPointer<HelpMark>(this)));
    if (parent)
        parent->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &HelpMark::showIfNear);
    showIfNear();
}

bool HelpMark::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        showIfNear();
    return QToolButton::eventFilter(watched, event);
}

/// Only its text is shown and hidden, so that nothing moves.
void HelpMark::showIfNear()
{
    const auto* around = parentWidget();
    const bool near    = !around || around->underMouse() || FieldHelpKey::markOf(QApplication::focusWidget()) == this;
    if (near == text().isEmpty())
        setText(near ? QStringLiteral("?") : QString());
}

void HelpMark::showPopover()
{
    auto* popover = new QFrame(this, Qt::Popup);
    popover->setObjectName(QStringLiteral("helpPopover"));
    popover->setAttribute(Qt::WA_DeleteOnClose);
    popover->setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    popover->setAutoFillBackground(true);
    auto* text = new HelpText(popover);
    text->setFrameShape(QFrame::NoFrame);
    text->viewport()->setAutoFillBackground(false);
    text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    text->setOpenExternalLinks(true);
    text->document()->setDocumentMargin(0);
    const QRect room     = screen()->availableGeometry().adjusted(4, 4, -4, -4);   // a gap to the edges
    const int width      = std::min(withText(360), room.width() - 2 * popoverMargin);
    const int mostHeight = static_cast<int>(greatestPopover * room.height())
                           - 2 * (popoverMargin + popover->frameWidth());
    text->document()->setTextWidth(width);
    text->showHtml(m_text());
    text->document()->setTextWidth(width);
    const int height = static_cast<int>(std::ceil(text->document()->size().height()));
    if (height > mostHeight)   // it scrolls: the bar takes its own width
        text->setFixedSize(width + text->verticalScrollBar()->sizeHint().width(), mostHeight);
    else
        text->setFixedSize(width, height);
    auto* layout = new QVBoxLayout(popover);
    layout->setContentsMargins(popoverMargin, popoverMargin, popoverMargin, popoverMargin);
    layout->addWidget(text);
    popover->resize(popover->sizeHint());   // adjustSize has a minimum of its own
    QPoint at = mapToGlobal(QPoint(this->width() + 4, 0));
    at.setX(std::min(at.x(), room.right() - popover->width()));
    at.setY(std::min(at.y(), room.bottom() - popover->height()));
    popover->move(std::max(at.x(), room.left()), std::max(at.y(), room.top()));
    popover->show();
    text->setFocus();
}

QString htmlFrom(const std::string& words)
{
    return toQString(words).toHtmlEscaped().replace('\n', QStringLiteral("<br>"));
}

namespace {

bool isF1(const QEvent& event)
{
    const auto& key = static_cast<const QKeyEvent&>(event);
    return key.key() == Qt::Key_F1 && !(key.modifiers() & ~Qt::KeypadModifier);
}

}   // namespace

FieldHelpKey::FieldHelpKey(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

HelpMark* FieldHelpKey::markOf(const QWidget* control)
{
    for (; control; control = control->isWindow() ? nullptr : control->parentWidget()) {
        auto* mark = control->property(markKey).value<QPointer<HelpMark>>().data();
        if (mark && mark->isVisible())
            return mark;
    }
    return nullptr;
}

bool FieldHelpKey::eventFilter(QObject* watched, QEvent* event)
{
    if ((event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) || !isF1(*event))
        return false;
    const auto* control = qobject_cast<QWidget*>(watched);
    if (!control || (QApplication::focusWidget() && control != QApplication::focusWidget()))
        return false;   // an event ignored by the control is passed to its parent
    auto* mark = markOf(control);
    if (!mark)
        return false;
    event->accept();   // so that it becomes no key of a menu, but comes here once more
    if (event->type() == QEvent::KeyPress)
        mark->click();
    return true;
}
