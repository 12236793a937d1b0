// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/tab_order.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGridLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <tuple>

namespace {

class Stops {
public:
    void add(QWidget* part)
    {
        if (!part || part->isWindow())
            return;
        if ((part->focusPolicy() & Qt::TabFocus) != 0 && !part->focusProxy())
            found.push_back(part);
        if (qobject_cast<QAbstractItemView*>(part) || qobject_cast<QAbstractSpinBox*>(part)
            || qobject_cast<QComboBox*>(part))
            return;   // counts as one control with all its parts
        addInside(part);
    }

    void addInside(QWidget* part)
    {
        if (auto* tabs = qobject_cast<QTabWidget*>(part)) {
            add(tabs->cornerWidget(Qt::TopLeftCorner));
            add(tabs->tabBar());
            add(tabs->cornerWidget(Qt::TopRightCorner));
            for (int k = 0; k < tabs->count(); ++k)
                add(tabs->widget(k));
        } else if (auto* scroll = qobject_cast<QScrollArea*>(part)) {
            add(scroll->widget());
        } else if (auto* splitter = qobject_cast<QSplitter*>(part)) {
            for (int k = 0; k < splitter->count(); ++k)
                add(splitter->widget(k));
        } else if (auto* layout = part->layout()) {
            addItems(*layout);
        }
    }

    std::vector<QWidget*> found;

private:
    void addItems(QLayout& layout)
    {
        std::vector<int> order(static_cast<std::size_t>(layout.count()));
        for (std::size_t k = 0; k < order.size(); ++k)
            order[k] = static_cast<int>(k);
        if (auto* grid = qobject_cast<QGridLayout*>(&layout)) {
            const auto place = [grid](int index) {
                int row = 0, column = 0, rows = 0, columns = 0;
                grid->getItemPosition(index, &row, &column, &rows, &columns);
                return std::tuple(row, column);
            };
            std::stable_sort(order.begin(), order.end(), [&place](int a, int b) { return place(a) < place(b); });
        }
        for (const int k : order) {
            auto* item = layout.itemAt(k);
            if (!item)
                continue;
            if (item->widget())
                add(item->widget());
            else if (item->layout())
                addItems(*item->layout());
        }
    }
};

}   // namespace

std::vector<QWidget*> stopsAsLaidOut(const std::vector<QWidget*>& parts)
{
    Stops stops;
    for (auto* part : parts)
        if (part && part->isWindow())
            stops.addInside(part);
        else
            stops.add(part);
    return stops.found;
}

void orderTabs(const std::vector<QWidget*>& parts)
{
    const auto stops = stopsAsLaidOut(parts);
    for (std::size_t k = 1; k < stops.size(); ++k)
        QWidget::setTabOrder(stops[k - 1], stops[k]);
}
