// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/hide_dialogs.h"

#include <QPointer>
#include <QWidget>

void hideDialogsOf(QWidget& window)
{
    QList<QPointer<QWidget>> dialogs;
    for (auto* each : window.findChildren<QWidget*>())
        if (each->isWindow() && (each->windowType() == Qt::Dialog || each->windowType() == Qt::Window))
            dialogs << each;
    for (const auto& dialog : dialogs)
        if (dialog)   // one may go with another
            dialog->hide();
}
