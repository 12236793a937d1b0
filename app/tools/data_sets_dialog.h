// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/fetch_report.h"

#include <QDialog>
#include <QPointer>

#include <map>
#include <optional>
#include <string>
#include <vector>

class DataFetch;
class MessageBar;
class QLabel;
class QPushButton;
class QTableWidget;

/// The sets of the catalogue, the user's own and those that the program draws: what they are, whether they are at hand, and how to get them. Downloads
/// go on while the dialog is closed. It never blocks the window.
class DataSetsDialog : public QDialog {
    Q_OBJECT
public:
    explicit DataSetsDialog(QWidget* parent);
    ~DataSetsDialog() override;

    void refresh();   ///< what is on the disk may have changed
    void choose(const QString& id);
    bool fetching(const QString& id) const { return m_fetches.contains(id); }
    QString message() const;
    void offer(const QString& id, const QString& sentence);   ///< says it, with a button to use the set

signals:
    void useSet(const QString& id);
    void setArrived(const QString& id);

private:
    struct Row {
        QString id, title, about, images, size, license, home, state;
        bool atHand = false, catalogued = false, drawn = false;
        bool own = false;   ///< in the user's data folder: can be removed
        QString folder;
    };
    static std::vector<Row> rows();
    const Row* chosen() const;
    void buildTable();
    QLayout* buildButtons();
    void showChosen();
    void showState(int row);
    void fetch();
    void cancel();
    void ended(const QString& id, const FetchReport& report);
    void askToRemove();
    void importImages(bool folder);
    void hideEvent(QHideEvent* event) override;

    std::vector<Row> m_rows;
    std::map<QString, DataFetch*> m_fetches;
    QTableWidget* m_table;
    QLabel* m_about;
    MessageBar* m_message;
    QPushButton *m_fetch = nullptr, *m_cancel = nullptr, *m_remove = nullptr, *m_use = nullptr;
};
