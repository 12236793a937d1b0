// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/flow_layout.h"

#include <algorithm>

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool move) const
{
    const QRect room = rect.marginsRemoved(contentsMargins());
    int x = room.x(), y = room.y(), height = 0;
    QList<std::pair<QLayoutItem*, QRect>> line;
    const auto endLine = [&] {   // controls of unlike height share a middle
        for (auto& [item, box] : line)
            if (move)
                item->setGeometry(box.translated(0, (height - box.height()) / 2));
        line.clear();
    };
    for (auto* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint().boundedTo(
            {std::max(room.width(), item->minimumSize().width()), QWIDGETSIZE_MAX});
        if (x > room.x() && x + size.width() > room.x() + room.width()) {
            endLine();
            y += height + spacing();
            x      = room.x();
            height = 0;
        }
        line.push_back({item, QRect(QPoint(x, y), size)});
        x += size.width() + spacing();
        height = std::max(height, size.height());
    }
    endLine();
    return y + height - rect.y() + contentsMargins().bottom();
}
