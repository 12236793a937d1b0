// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <QRect>
#include <QString>

#include <vector>

namespace credence {

/// What a widget paints and no widget stands for: a thumbnail, a handle.
struct SpokenItem {
    QString name;          ///< what it is, in words
    QString description;   ///< what can be done with it
    QRect place;           ///< within the widget
    bool chosen  = false;
    bool current = false;   ///< keys act on it
};

/// A widget that has such items. Indices are stable for as long as their number is.
class SpokenItems {
public:
    virtual ~SpokenItems()                              = default;
    virtual std::vector<SpokenItem> spokenItems() const = 0;
    virtual void pressItem(int index)                   = 0;   ///< as a click does
};

/// A widget with its items as children, before the widgets in it, as assistive technology sees it. Items are read when they are asked for, so that they are never old.
class AccessibleItems : public QAccessibleWidget {
public:
    /// @param role      of the widget; of its items it is `itemRole`
    /// @param items     of the same widget
    AccessibleItems(QWidget* widget, QAccessible::Role role, QAccessible::Role itemRole, SpokenItems& items);
    ~AccessibleItems() override;

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;

private:
    int itemCount() const;

    SpokenItems& m_items;
    QAccessible::Role m_itemRole;
    mutable std::vector<QAccessible::Id> m_children;   ///< made when they are asked for; 0: not yet
};

}   // namespace credence
