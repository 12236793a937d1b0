// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/rows_panel.h"

#include "parts/row_table.h"
#include "parts/view_binder.h"
#include "session/app_context.h"

#include "views/views.h"

using namespace credence;

RowsPanel::RowsPanel(QWidget* parent) : ViewPanel(credence::view("test_rows"), parent), m_rows(new RowTable(this))
{
    addControl(m_rows->head(), 0);
    showBy(m_rows);
    connect(this, &ViewPanel::chartShown, m_rows, &RowTable::setChart);
}

void RowsPanel::join(AppContext& context, ViewBinder& binder, const QString& place)
{
    binder.add(place, this);
    auto& selection   = context.selection;
    const auto follow = [this, &selection] {
        const auto& chosen = selection.chosen();
        m_rows->choose(chosen.input.empty() ? static_cast<int>(chosen.row) : -1);
    };
    connect(this, &ViewPanel::chartShown, this, follow);
    connect(&selection, &Selection::changed, this, follow);
    connect(&selection, &Selection::listedChanged, m_rows, [this, &selection] { m_rows->list(selection.listed()); });
    connect(m_rows, &RowTable::rowChosen, this, [&selection](int row) {
        const auto& chosen = selection.chosen();
        if (!chosen.input.empty() || chosen.row != static_cast<std::size_t>(row))
            selection.chooseRow(row, Selection::By::table);
    });
}

void RowsPanel::takeFocus() { m_rows->takeFocus(); }
