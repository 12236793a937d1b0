// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/keys_list.h"

#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>

#include <algorithm>
#include <functional>

namespace {

QString tr(const char* words) { return QCoreApplication::translate("KeysList", words); }

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("…")); }

}   // namespace

std::vector<KeyLine> keyLines(const QMenuBar& bar)
{
    std::vector<KeyLine> lines;
    QString place;
    const auto add = [&](const QString& keys, const QString& what) { lines.push_back({place, keys, what}); };
    const std::function<void(const QMenu&, const QString&)> addMenu = [&](const QMenu& menu, const QString& before) {
        for (const auto* action : menu.actions())
            if (action->menu())
                addMenu(*action->menu(), before + plain(action->text()) + QStringLiteral(" › "));
            else if (!action->shortcuts().isEmpty())
                add(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                    before + plain(action->text()));
    };
    for (const auto* menuAction : bar.actions()) {
        place = plain(menuAction->text());
        addMenu(*menuAction->menu(), {});
    }
    place = tr("In a picture and in a number field");
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
    place = tr("In a picture");
    add(tr("Shift and arrows"), tr("Move the cross by a single point of the screen"));
    add(tr("+, −, Home"), tr("Closer to the cross, further away, and back to the whole picture"));
    add(tr("Escape"), tr("Hide the cross"));
    add(tr("Enter, with the tool that moves points"), tr("Take the point nearest to the cross, and put it down"));
    place = tr("On an image that is drawn upon");
    add(tr("Arrows"), tr("Move the pen by a pixel"));
    add(tr("Space"), tr("Put the pen down, and lift it"));
    add(tr("Escape"), tr("Lift the pen and leave it"));
    add(tr("Ctrl+Z"), tr("Take back the last stroke"));
    place = tr("In the table of runs");
    add(tr("F2"), tr("Give the chosen run another name"));
    place = tr("On a tool page");
    add(tr("F1"), tr("What the page is about"));
    add(tr("F5"), tr("Run or play; pause, and go on"));
    add(tr("F10"), tr("One step"));
    add(tr("Ctrl+."), tr("Cancel"));
    add(tr("Ctrl+R"), tr("Back to the start"));
    add(tr("Ctrl+E"), tr("Export its figures"));
    add(tr("Ctrl+W"), tr("Close the page; its work continues in the background"));
    add(tr("Ctrl+S, Ctrl+Shift+S, Ctrl+O"), tr("Sweep: save it, save it under another name, open one"));
    add(tr("Ctrl+F"), tr("Papers: search"));
    place = tr("Among the presets");
    add(tr("Up, Down, Page keys"), tr("Move in the list while a word is typed"));
    add(tr("Enter"), tr("Use the preset that is chosen"));
    place = tr("Everywhere");
    add(tr("Tab, Shift+Tab"), tr("The next control, and the one before"));
    add(tr("Alt and the letter that is underlined"), tr("A menu, a button or a field of that name"));
    add(tr("Space"), tr("Press the button, or tick the box, that has the focus"));
    add(tr("Alt+Down"), tr("Open a list of choices"));
    add(tr("Escape"), tr("Close a dialog or a list"));
    return lines;
}

QString keysAsHtml(const std::vector<KeyLine>& lines, const QString& filter)
{
    const QStringList words = filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QString html            = QStringLiteral("<h2>%1</h2><table cellpadding='3'>").arg(tr("Keys"));
    QString place;
    for (const KeyLine& line : lines) {
        const QString text = line.place + QLatin1Char(' ') + line.keys + QLatin1Char(' ') + line.what;
        if (!std::all_of(words.begin(), words.end(),
                         [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); }))
            continue;
        if (place != line.place)
            html += QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>").arg(line.place.toHtmlEscaped());
        place = line.place;
        html += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                    .arg(line.keys.toHtmlEscaped(), line.what.toHtmlEscaped());
    }
    html += QStringLiteral("</table>");
    return place.isEmpty() ? html + QStringLiteral("<p>%1</p>").arg(tr("No key is called so.")) : html;
}

void shareKeys(const QMenuBar& bar, QWidget* tool)
{
    QList<QKeySequence> own;
    for (const auto* shortcut : tool->findChildren<QShortcut*>())
        own += shortcut->key();
    const std::function<void(const QMenu&, bool)> share = [&](const QMenu& menu, bool all) {
        all = all || menu.property(keysEverywhere).toBool();
        for (auto* action : menu.actions())
            if (action->menu())
                share(*action->menu(), all);
            else if ((all || action->property(keysEverywhere).toBool()) && !action->shortcuts().isEmpty()
                     && !own.contains(action->shortcut()))
                tool->addAction(action);
    };
    for (const auto* top : bar.actions())
        share(*top->menu(), false);
}
