// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/progress_line.h"
#include "parts/tool_page.h"

#include <QString>

#include <map>
#include <vector>

/// One row of the table of image data sets, as text.
struct DataSetRow {
    QString id, title, about, images, size, license, home, state;
    bool atHand = false, catalogued = false, drawn = false;
    bool own = false;   ///< in the user's data folder: can be removed
    QString folder;
};

/// Generated sets first, then the catalogue, then the user's own. Reads the disk.
std::vector<DataSetRow> dataSetRows();

class DataFetch;
class QLabel;
class QPushButton;
class QTableWidget;
namespace credence {
class ColumnWidths;
}

/// Image data sets of the catalogue, imported and generated ones: description, state, download.
/// Downloads continue while the dialog is closed. Not modal.
class DataSetsPage : public ToolPage {
    Q_OBJECT
public:
    explicit DataSetsPage(QWidget* parent);

    void refresh();   ///< Files on disk may have changed.
    void choose(const QString& id);
    bool fetching(const QString& id) const { return m_fetches.contains(id); }
    void offer(const QString& id, const QString& sentence);   ///< shows a message with a button to use the set
    bool working() const override { return !m_fetches.empty(); }
    QString workWords() const override;
    QString workSentence() const override;

signals:
    void useSet(const QString& id);
    void setArrived(const QString& id);

protected:
    void showEvent(QShowEvent* event) override;

private:
    const DataSetRow* chosen() const;
    void buildTable();
    QLayout* buildButtons();
    void showChosen();
    void showState(int row);
    void fetch();
    void cancelFetch();
    void ended(const QString& id, const FetchReport& report);
    void askToRemove();
    void importImages(bool folder);
    void importFrom(const QString& path);

    std::vector<DataSetRow> m_rows;
    std::map<QString, DataFetch*> m_fetches;
    QTableWidget* m_table;
    credence::ColumnWidths* m_widths;
    QLabel* m_about;
    QPushButton *m_fetch = nullptr, *m_cancel = nullptr, *m_remove = nullptr, *m_use = nullptr;
};
