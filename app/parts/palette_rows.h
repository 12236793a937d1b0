// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a palette: what they contain and how they are painted.
#pragma once

#include "parts/palette.h"

#include <QAbstractListModel>

class QListView;

inline constexpr int paletteMargin = 8;

/// The matching commands, with a caption row for each group. While nothing is typed, a fold
/// replaces the caption of the commands that are not available.
class PaletteModel : public QAbstractListModel {
public:
    enum class Kind { caption, fold, command };
    enum Role { detail_role = Qt::UserRole, keys_role, typed_role, view_role };

    /// @param fold  title of its row; empty: there is none
    PaletteModel(std::vector<Command> commands, QString fold, QObject* parent);

    int filter(const QString& typed);   ///< returns the number of listed commands
    bool isOpen() const { return m_open; }
    void toggleFold() { m_open = !m_open; }   ///< `filter` follows

    Kind kindAt(int row) const { return m_rows.at(static_cast<std::size_t>(row)).kind; }
    const Command* commandAt(int row) const;   ///< null: a caption or fold
    bool isUsable(int row) const;              ///< Enter does something

    int rowCount(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    QVariant foldData(int role) const;
    QVariant commandData(const Command& command, int role) const;

    struct Row {
        const Command* command;   // of a caption or fold the first below it
        Kind kind;
    };
    std::vector<Command> m_commands;
    std::vector<Row> m_rows;
    QString m_typed, m_fold;
    bool m_open = false;
};

/// Makes the list paint its rows.
void paintPaletteRows(QListView* list);
