// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

/// Property of a menu: the group of its commands, if they have one of their own.
inline constexpr const char* commandGroup = "commandGroup";

/// Something that can be found and done by typing its name.
struct Command {
    QString group;    ///< its caption: "Views"; commands of one group follow each other
    QString title;    ///< "Calibration"
    QString detail;   ///< menu, section or value; shown after the title and searched, too
    QString keys{};   ///< "Ctrl+E"; may be empty
    std::function<void()> run{};
    QString whyNot{};   ///< why it cannot be used now; empty: it can
};

/// Returns the indices of the commands that contain every typed word, in any order. Words at the
/// start of a title come first, then those inside of it, then those elsewhere; groups stay together.
std::vector<int> matches(const std::vector<Command>& commands, const QString& typed);

class PaletteModel;

/// The command palette: a search field above the list of commands, in the middle of its window.
/// Up, Down and Enter choose, Escape or a click elsewhere closes it.
class Palette : public QFrame {
    Q_OBJECT
public:
    Palette(std::vector<Command> commands, QWidget* window);
    ~Palette() override;

private:
    void filter(const QString& typed);
    void move(int rows);
    void choose();
    bool eventFilter(QObject* watched, QEvent* event) override;

    PaletteModel* m_model;
    QLineEdit* m_typed;
    QLabel* m_count;
    QListView* m_list;
    QWidget* m_shade;   // over the window
};
