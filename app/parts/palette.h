// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QFrame>
#include <QPointer>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

/// Property of a menu: the group of its commands, if they form a group of their own.
inline constexpr const char* commandGroup = "commandGroup";
/// Property of a menu that is filled when it opens; its commands are listed separately.
inline constexpr const char* commandsElsewhere = "commandsElsewhere";

/// A command that can be found and run by typing its name.
struct Command {
    QString group{};    ///< its caption: "Views"; commands of one group follow each other
    QString title{};    ///< "Calibration"
    QString detail{};   ///< menu, section, value or help; shown after the title and searched, too
    QString keys{};     ///< "Ctrl+E"; may be empty
    std::function<void()> run{};
    QString whyNot{};       ///< why it is not available; empty: it is available
    bool current = false;   ///< represents the current state and is therefore selected initially
    int recent   = 0;       ///< greater: used more recently; 0: not among the recent ones
    QString view{};         ///< shows the thumbnail of this view, and the detail below the title; empty: none
};

/// Returns the indices of the commands that contain every typed word, in any order. Matches at the
/// start of a title come first, then those inside a title, then all others; within each of these,
/// recently used commands come first. Groups stay together; groups without available commands are
/// at the end.
std::vector<int> matches(const std::vector<Command>& commands, const QString& typed);

/// A popup with a search field above a list with captions. Up, Down and Enter select; Escape or a
/// click elsewhere closes it.
class SearchPopup : public QFrame {
    Q_OBJECT
protected:
    SearchPopup(int margin, QWidget* parent);

    virtual void filter(const QString& typed) = 0;
    virtual bool isCaption(int row) const     = 0;   ///< each caption is followed by a row that is not a caption
    virtual void choose()                     = 0;   ///< the current row
    virtual int page() const                  = 0;   ///< rows of a page
    void move(int rows);                             ///< captions are skipped
    void select(int row);

    QLineEdit* m_typed;
    QLabel* m_count;
    QListView* m_list;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

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

/// Finds a command by typing its name.
class Palette : public SearchPopup {
    Q_OBJECT
public:
    /// @param hint   text in the search field that describes what can be found
    /// @param below  the button below which it opens; null: in the middle of the window, which is
    /// dimmed
    /// @param fold   title of the last row. Choosing it lists the commands that are not available;
    /// before that, they are found only by typing. They form a group of their own. Empty: they are
    /// always listed
    Palette(std::vector<Command> commands, const QString& hint, QWidget* window, const QWidget* below = nullptr,
            const QString& fold = {});
    ~Palette() override;

private:
    QRect placeIn(const QWidget& window, const QWidget* below) const;
    int neededHeight() const;
    void filter(const QString& typed) override;
    bool isCaption(int row) const override;
    void choose() override;
    int page() const override;
    void toggleFold();

    PaletteModel* m_model;
    QPointer<const QWidget> m_below;
    QWidget* m_shade = nullptr;   // over the window
    int m_highest    = 0;         ///< pixels, with all rows that are listed while nothing is typed
};
