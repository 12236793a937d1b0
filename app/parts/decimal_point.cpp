// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/decimal_point.h"

#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLocale>

#include <clocale>

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
