// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessibleWidget>
#include <QRect>
#include <QString>

#include <vector>

namespace credence {

/// Something painted by a widget that is not a widget itself: a thumbnail, a handle.
struct SpokenItem {
    QString name;          ///< description of the item
    QString description;   ///< available actions
    QRect place;           ///< within the widget
    bool chosen  = false;
    bool current = false;   ///< keys act on it
};

/// A widget with such items. Indices are stable while their number is.
class SpokenItems {
public:
    virtual ~SpokenItems()                              = default;
    virtual std::vector<SpokenItem> spokenItems() const = 0;
    virtual void pressItem(int index)                   = 0;   ///< as by a click
};

/// The accessible interface of a widget with its items as children, before its child widgets. Items
/// are queried on request, so they are always up to date.
class AccessibleItems : public QAccessibleWidget {
public:
    /// @param role      role of the widget; its items have `itemRole`
    /// @param items     items of the same widget
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
    mutable std::vector<QAccessible::Id> m_children;   ///< created on request; 0: not yet
};

/// Movable items on a chart for screen readers, supplied by their owner.
class ChartSpeech : public SpokenItems {
public:
    SpokenItems* onPicture = nullptr;   ///< the owner's items; null: none. Must outlive the view or reset this pointer

    std::vector<SpokenItem> spokenItems() const override
    {
        return onPicture ? onPicture->spokenItems() : std::vector<SpokenItem>();
    }
    void pressItem(int index) override
    {
        if (onPicture)
            onPicture->pressItem(index);
    }
};

}   // namespace credence
