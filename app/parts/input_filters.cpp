// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/input_filters.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLocale>
#include <QScrollBar>

#include <clocale>

namespace {

QWidget* inputOf(QObject* object)
{
    if (qobject_cast<QScrollBar*>(object))
        return nullptr;
    if (qobject_cast<QComboBox*>(object) || qobject_cast<QAbstractSpinBox*>(object)
        || qobject_cast<QAbstractSlider*>(object))
        return static_cast<QWidget*>(object);
    return nullptr;
}

}   // namespace

void WheelGuard::install()
{
    if (!qApp->findChild<WheelGuard*>(QString(), Qt::FindDirectChildrenOnly))
        qApp->installEventFilter(new WheelGuard(qApp));
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish)
        return false;
    auto* input = inputOf(watched);
    if (!input)
        return false;
    if (event->type() == QEvent::Polish) {
        if (input->focusPolicy() == Qt::WheelFocus)
            input->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (input->hasFocus() || input->isAncestorOf(QApplication::focusWidget()))
        return false;
    event->ignore();   // Qt then offers it to the parent, up to the scroll area
    return true;
}

namespace {

class CommaToPoint : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::KeyPress || !qobject_cast<QDoubleSpinBox*>(watched))
            return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->text() != QLatin1String(","))
            return false;
        QKeyEvent point(QEvent::KeyPress, Qt::Key_Period, key->modifiers(), QStringLiteral("."));
        QCoreApplication::sendEvent(watched, &point);
        return true;
    }
};

}   // namespace

void useDecimalPoints(QCoreApplication& application)
{
    std::setlocale(LC_NUMERIC, "C");
    std::setlocale(LC_MESSAGES, "C");   // system messages appear within English sentences
    QLocale::setDefault(QLocale::c());
    application.installEventFilter(new CommaToPoint(&application));
}
