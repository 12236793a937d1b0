// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/setting_lines.h"
#include "parts/tool_page.h"
#include "study/fields.h"
#include "sweeps/sweep.h"
#include "sweeps/sweep_runs.h"
#include "work/worker.h"

#include <QComboBox>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace credence {
class ChartView;
struct Study;
class TableView;
}   // namespace credence
class HelpMark;
class MistakeLabel;
class QCheckBox;
class QLabel;
class QStackedLayout;
class QTabWidget;
class QTextBrowser;
class SortedTable;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;
struct AppContext;

/// Selects one setting of a Study: a text field to search by name, and a list by group and label,
/// with effective settings first.
class SettingBox : public QComboBox {
    Q_OBJECT
public:
    explicit SettingBox(QWidget* parent = nullptr);

    void listSettingsOf(const credence::Study& study);   ///< the selection does not change
    QString path() const;                                ///< of the field; empty: none is chosen
    void setPath(const QString& path);                   ///< without a signal
    static QString titleOf(const QString& path);         ///< "Training › Learning rate η"

signals:
    void settingChosen(const QString& path);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void commitTyped();
    void take(int row);

    QString m_path;
};

// Values of one setting of a sweep, typed into one line.

/// Parses the line: "0, 0.1, 0.2"; ranges including both ends, "100 … 500 step 100", "0.0001 … 1 in
/// 5 points, log" (also with ... or to); settings that are lists have semicolons between values,
/// "50, 50; 100".
/// @param base  Study in which each value is checked
/// @throws credence::Error  one sentence: no value, a repeated value, an invalid value, or a range
///        that does not reach its end
std::vector<credence::FieldValue> sweepValues(const credence::Field& setting, const credence::Study& base,
                                              const QString& line);
/// Returns the line for these values.
QString sweepValuesLine(const std::vector<credence::FieldValue>& values);
/// Returns a default line: some of the choices, both answers, or the current value.
QString usualSweepValues(const credence::Field& setting, const credence::Study& base);

/// One axis of a sweep: a setting and its values, checked while typing. An axis that changes
/// several settings together comes from a file: it shows its labels and can be removed but not
/// edited.
class SweepAxisRow : public QWidget {
    Q_OBJECT
public:
    SweepAxisRow(const credence::Study& base, QWidget* parent);

    void setBase(const credence::Study& base);   ///< used to check the values
    void setAxis(const credence::SweepAxis& axis);
    void setSetting(const QString& path, const QString& values);
    std::optional<credence::SweepAxis> axis() const;   ///< empty: an error, or no setting is selected
    QString path() const;                              ///< of the setting, or the name of the axis
    QString mistake() const;                           ///< empty: none
    void setMistake(const QString& sentence);
    void takeFocus();

signals:
    void changed();
    void removed();

private:
    void chooseSetting(const QString& path);
    void fillChoices();
    void toggleChoice(const QString& name, bool on);
    void check();

    credence::Study m_base;
    std::optional<credence::SweepAxis> m_fixed;   // an axis that cannot be edited
    std::optional<credence::SweepAxis> m_axis;
    SettingBox* m_setting;
    QLabel* m_name;   // name of an axis that cannot be edited
    HelpMark* m_help;
    QToolButton* m_remove;
    QLineEdit* m_values;
    QMenu* m_choices;
    QToolButton* m_choose;
    MistakeLabel* m_mistake;
};

/// The definition of a sweep as four lines: base, varied settings with values, seeds, and what is
/// saved; below them its cells and their expected duration.
class SweepForm : public SettingLines {
    Q_OBJECT
public:
    explicit SweepForm(QWidget* parent);

    void setSweep(const credence::Sweep& sweep);
    void setBase(const credence::Study& study);     ///< the varied settings stay
    std::optional<credence::Sweep> sweep() const;   ///< the sweep to run; empty: there is an error
    QString mistake() const;                        ///< the first error; empty: none
    void setMistake(const QString& sentence);       ///< an error of all settings together
    /// Number of cells, their states and the expected duration.
    /// @param running  the remaining time is shown next to the progress bar, and only there
    void showPlan(const credence::SweepSnapshot& snapshot, std::optional<double> secondsLeft, bool running);
    void clearPlan();
    void setFolder(const QString& folder);   ///< folder of the cells

signals:
    void changed();
    void studyWanted();   ///< the Study of the window is requested as base
    void openRequested();
    void saveRequested();
    void replaced();   ///< replaced by another sweep, see setSweep

private:
    void buildBase();
    void buildAxes();
    void buildSeeds();
    void buildSaved();
    void buildPlan();
    SweepAxisRow* addRow();
    void removeRow(SweepAxisRow* row);
    void countSeeds(int count);
    void notify();
    void showWords();
    bool isQuick() const;
    credence::Sweep written() const;

    credence::Sweep m_sweep;        // everything except the axes, which are in the rows
    std::vector<long> m_seeds{1};   // used only if there is no axis of seeds
    std::size_t m_seedsAt = 0;      // position of the axis of seeds among the others
    std::vector<SweepAxisRow*> m_rows;
    bool m_filling = false;
    SettingCard &m_baseCard, &m_axesCard, &m_seedsCard, &m_savedCard;
    QLabel *m_base, *m_note, *m_plan;
    QVBoxLayout* m_list;
    QSpinBox* m_count;
    QCheckBox *m_keep, *m_quick;
    QToolButton* m_folder;
    QString m_folderPath;
    MistakeLabel* m_mistake;
};

/// The results of a sweep: a live table of cells, mean and standard deviation over the seeds,
/// figures, and comparisons.
class SweepTabs : public QWidget {
    Q_OBJECT
public:
    explicit SweepTabs(QWidget* parent);

    /// @param live  the sweep is running, so drawing leaves time for training
    void showSnapshot(std::shared_ptr<const credence::SweepSnapshot> snapshot, const std::filesystem::path& folder,
                      bool live);
    void showWords(const QString& sentence);   ///< instead of the cells
    const std::shared_ptr<const credence::SweepSnapshot>& snapshot() const
    {
        return m_snapshot;
    }   ///< null: none shown yet
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
    void showChosen(bool shown);
    void draw(Worker::Newer newer);
    void take(const Drawn& drawn);
    int chosenCell() const;   ///< -1: none
    void refreshButtons();

    std::shared_ptr<const credence::SweepSnapshot> m_snapshot;
    std::filesystem::path m_folder;
    bool m_live = false;
    std::vector<credence::ScoreName> m_names;   // of the box
    std::vector<std::string> m_axes;            // likewise
    QTabWidget* m_tabs;
    QComboBox *m_score, *m_figure, *m_axis;
    QWidget* m_scoreField = nullptr;   // next to the tabs while there are scores
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

/// Runs one Study with all combinations of some settings and several seeds: a live table of cells,
/// mean and standard deviation over the seeds, figures, and comparisons. Finished cells are never
/// run again: after Cancel or a restart, Run continues with the missing ones.
class SweepPage : public ToolPage {
    Q_OBJECT
public:
    explicit SweepPage(AppContext& context, QWidget* parent = nullptr);
    ~SweepPage() override;

    void useCurrentStudy();                ///< Uses the Study of the window as the base.
    void openSweep(const QString& file);   ///< an error is shown, and nothing changes
    void saveSweep(const QString& file);   ///< likewise
    void setSweep(const credence::Sweep& sweep);
    void cancel() override;
    bool busy() const override;   ///< running, checking or drawing
    bool running() const { return ToolPage::busy(); }
    QString workSentence() const override;

signals:
    void fileRequested(const QString& file);   ///< a saved run or Study is to be opened

protected:
    void showEvent(QShowEvent* event) override;

private:
    Worker::Work work() override;
    void showMistake(const QString& field, const QString& sentence) override;
    QWidget* buildContent();
    void addFileKeys();
    void askToOpen();
    void askToSave();
    void beginWithLast();
    void lookSoon();
    void look();
    void remember(const credence::Sweep& sweep);
    void take(const std::shared_ptr<credence::SweepRuns>& runs);
    void showPlan();
    void reportEnd(const credence::SweepReport& report);
    void askToMix(const credence::Build& other);   ///< before adding cells to those of another build
    void openCell(int cell);
    void refreshRun();
    std::optional<double> secondsLeftOf(const credence::SweepSnapshot& snapshot) const;

    AppContext& m_context;
    SweepForm* m_form;
    SweepTabs* m_tabs;
    std::shared_ptr<credence::SweepRuns> m_runs;   // the sweep of the form with its existing cells; null: not read yet
    bool m_mixBuilds = false;                      // allows the next run to add cells to those of another build
    QString m_file;                                // of the sweep in the form; empty: none yet
    int m_opening = 0;                             // number of the newest file to open
    std::optional<credence::Sweep> m_remembered;   // as last saved for the next start
    QTimer m_soon;
    bool m_begun = false, m_sound = false;   // m_sound: the cells are valid
    Worker m_looker;                         // last: its thread ends before what it updates
};
