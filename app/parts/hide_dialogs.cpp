// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/hide_dialogs.h"

#include <QDialog>
#include <QPointer>

void hideDialogsOf(QWidget& window)
{
    QList<QPointer<QDialog>> dialogs;
    for (auto* dialog : window.findChildren<QDialog*>())
        dialogs << dialog;
    for (const auto& dialog : dialogs)
        if (dialog)   // one may go with another
            dialog->hide();
}
