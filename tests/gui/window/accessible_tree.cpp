// SPDX-License-Identifier: GPL-3.0-or-later
#include "accessible_tree.h"

#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QMetaEnum>
#include <QWidget>
#include <QWidgetAction>

namespace {

bool isControl(QAccessible::Role role)
{
    switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonDropDown:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::Dial:
    case QAccessible::EditableText:
    case QAccessible::List:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::PageTab:
    case QAccessible::ProgressBar:
    case QAccessible::Chart:
    case QAccessible::Graphic:
    case QAccessible::Canvas:
    case QAccessible::Indicator: return true;
    default: return false;
    }
}

/// Its parts are announced like itself.
bool isWhole(QAccessible::Role role)
{
    return role == QAccessible::ComboBox || role == QAccessible::SpinBox || role == QAccessible::EditableText
           || role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::ScrollBar;
}

bool isMadeByQt(const QObject& object)
{
    return object.inherits("QDockWidgetTitleButton") || object.inherits("QToolBarExtension")
           || object.inherits("QTableCornerButton") || object.inherits("QHeaderView")
           || object.objectName().startsWith(QLatin1String("qt_"))
           || (object.parent() && object.parent()->inherits("QTabBar"));   // its arrows
}

/// On Linux, Qt reports the current choice of a box as its name, so its label is queried.
QString nameOf(QAccessibleInterface& seen)
{
    auto* widget = qobject_cast<QWidget*>(seen.object());
    if (seen.role() != QAccessible::ComboBox || !widget)
        return seen.text(QAccessible::Name);
    if (!widget->accessibleName().isEmpty() || !widget->parentWidget())
        return widget->accessibleName();
    for (const auto* label : widget->parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (label->buddy() == widget)
            return label->text();
    return {};
}

QString placeOf(QAccessibleInterface& seen)
{
    const char* role = QMetaEnum::fromType<QAccessible::Role>().valueToKey(seen.role());
    QString words    = QString::fromLatin1(role ? role : "?");
    for (const QObject* at = seen.object(); at; at = at->parent())
        words += QStringLiteral(" < %1 \"%2\"").arg(QLatin1String(at->metaObject()->className()), at->objectName());
    return words;
}

void walkTree(QAccessibleInterface* seen, AccessibleTree& found)
{
    if (!seen || !seen->isValid() || (seen->object() && isMadeByQt(*seen->object())))
        return;
    if (isControl(seen->role())) {
        ++found.controls;
        if (nameOf(*seen).trimmed().isEmpty())
            found.nameless += placeOf(*seen);
    }
    if (isWhole(seen->role()))
        return;
    for (int k = 0; k < seen->childCount(); ++k)
        walkTree(seen->child(k), found);
}

void walkMenu(const QMenu& menu, AccessibleTree& found)
{
    for (const auto* action : menu.actions()) {
        if (action->isSeparator() || qobject_cast<const QWidgetAction*>(action))
            continue;
        ++found.controls;
        if (action->text().trimmed().isEmpty())
            found.nameless += QStringLiteral("a line of the menu \"%1\" %2").arg(menu.title(), menu.objectName());
    }
}

}   // namespace

AccessibleTree accessibleTree(QWidget& window)
{
    AccessibleTree found;
    walkTree(QAccessible::queryAccessibleInterface(&window), found);
    for (const auto* menu : window.findChildren<QMenu*>())
        if (!menu->objectName().startsWith(QLatin1String("qt_")))
            walkMenu(*menu, found);
    return found;
}
