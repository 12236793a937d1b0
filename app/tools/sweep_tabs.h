// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sweep_tables.h"
#include "work/worker.h"

#include <QWidget>

#include <filesystem>
#include <memory>
#include <vector>

namespace credence {
class ChartView;
class TableView;
}   // namespace credence
class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTabWidget;
class QTextBrowser;
class SortedTable;

/// The results of a sweep: a live table of cells, mean and standard deviation over the seeds,
/// figures, and comparisons.
class SweepTabs : public QWidget {
    Q_OBJECT
public:
    explicit SweepTabs(QWidget* parent);

    /// @param live  the sweep is running, so drawing leaves time for training
    void showSnapshot(std::shared_ptr<const SweepSnapshot> snapshot, const std::filesystem::path& folder, bool live);
    void showWords(const QString& sentence);                                              ///< instead of the cells
    const std::shared_ptr<const SweepSnapshot>& snapshot() const { return m_snapshot; }   ///< null: none shown yet
    std::vector<credence::ChartView*> charts() const;
    bool busy() const { return m_drawer.busy(); }
    void cancel() { m_drawer.cancel(); }

signals:
    void cellRequested(int cell);
    void failed(const QString& field, const QString& sentence);

private:
    struct Drawn;
    QWidget* buildCells();
    QWidget* buildFigure();
    QWidget* buildComparison();
    credence::ChartView* addView(const char* name, const QString& label);
    void fillScores();
    void fillAxes();
    void draw(Worker::Newer newer);
    void take(const Drawn& drawn);
    int chosenCell() const;   ///< -1: none
    void refreshButtons();

    std::shared_ptr<const SweepSnapshot> m_snapshot;
    std::filesystem::path m_folder;
    bool m_live = false;
    std::vector<credence::ScoreName> m_names;   // of the box
    std::vector<std::string> m_axes;            // likewise
    QTabWidget* m_tabs;
    QComboBox *m_score, *m_figure, *m_axis;
    QStackedLayout* m_stack;
    QLabel* m_words;
    credence::TableView* m_table;
    SortedTable* m_sorted;
    QPushButton* m_open;
    // The first two are invisible: they hold the cells and all scores for Export.
    credence::ChartView *m_cells, *m_all, *m_summary, *m_picture, *m_differences, *m_chosen;
    QTextBrowser* m_sentences;
    Worker m_drawer;   // last: its thread ends before what it updates
};
