// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/keys_list.h"

#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>

#include <functional>

namespace {

QString tr(const char* words) { return QCoreApplication::translate("KeysList", words); }

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("…")); }

}   // namespace

QString keysAsHtml(const QMenuBar& bar)
{
    QString html   = QStringLiteral("<h2>%1</h2><table cellpadding='3'>").arg(tr("Keys"));
    const auto add = [&html](const QString& keys, const QString& what) {
        html += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    };
    const std::function<void(const QMenu&, const QString&)> addMenu = [&](const QMenu& menu, const QString& before) {
        for (const auto* action : menu.actions())
            if (action->menu())
                addMenu(*action->menu(), before + plain(action->text()) + QStringLiteral(" › "));
            else if (!action->shortcuts().isEmpty())
                add(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                    before + plain(action->text()));
    };
    for (const auto* menuAction : bar.actions()) {
        html += QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>").arg(plain(menuAction->text()));
        addMenu(*menuAction->menu(), {});
    }
    html += QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>").arg(tr("In a picture and in a number field"));
    add(tr("Arrows, then Enter"), tr("Move the cross in a picture; choose that point"));
    add(tr("Wheel, double click"), tr("Closer and back to the whole picture"));
    add(tr("Arrows, Home, End, Page keys"), tr("Choose another image of the grid"));
    add(tr("Up, Down in the table of test rows"), tr("Choose the row before or behind; with Shift select more"));
    add(tr("Ctrl+C in a table"), tr("Copy the selected rows, or all, as text with tabs"));
    add(tr("Arrows, Space, +, − on the simplex"), tr("Move a handle; take the next one; widen and narrow the law"));
    add(tr("A class"), tr("Its next image in the grid"));
    add(tr("Left, Right, then Enter"), tr("Choose another of your own pictures, or of the nearest images"));
    add(tr("+, −, Ctrl and wheel"), tr("Larger and smaller images"));
    add(tr("Up, Down"), tr("Next round number in a number field: 1, 2, 5, 10"));
    add(tr("Space, Page Down in lecture mode"), tr("The next step of the lesson that is open"));

    add(tr("F1"), tr("Help on the control that has the focus, if a ? stands beside it"));
    add(tr("Arrows, Space on the chosen image"),
        tr("Go through its pixels; while drawing set the pen down and lift it"));
    add(tr("Shift+F1"), tr("What is this? for the setting under the pointer"));
    return html + QStringLiteral("</table>");
}

void shareKeys(const QMenuBar& bar, QWidget* tool)
{
    QList<QKeySequence> own;
    for (const auto* shortcut : tool->findChildren<QShortcut*>())
        own += shortcut->key();
    const std::function<void(const QMenu&)> share = [&](const QMenu& menu) {
        for (auto* action : menu.actions())
            if (action->menu())
                share(*action->menu());
            else if (!action->shortcuts().isEmpty() && !own.contains(action->shortcut()))
                tool->addAction(action);
    };
    for (const auto* top : bar.actions())
        share(*top->menu());
}
