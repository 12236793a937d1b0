// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/view_panel.h"

class PictureDesk;
class RowTable;
struct Workspace;

/// The view test_rows: a table in which rows are sorted, filtered and chosen.
class RowsPanel : public ViewPanel {
    Q_OBJECT
public:
    explicit RowsPanel(QWidget* parent = nullptr);
    /// A row that is chosen is the chosen input, and an input that is chosen elsewhere is marked if it is a row.
    void join(Workspace& workspace, PictureDesk& desk, const QString& place);
    void takeFocus();   ///< of the keys

private:
    RowTable* m_rows;
};
