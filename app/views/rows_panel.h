// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/view_panel.h"

class ViewBinder;
class RowTable;
struct AppContext;

/// The view test_rows: a table in which rows can be sorted, filtered and selected.
class RowsPanel : public ViewPanel {
    Q_OBJECT
public:
    explicit RowsPanel(QWidget* parent = nullptr);
    /// Synchronises the selected row with the selected input.
    void join(AppContext& context, ViewBinder& binder, const QString& place);
    void takeFocus();   ///< of the keys

private:
    RowTable* m_rows;
};
