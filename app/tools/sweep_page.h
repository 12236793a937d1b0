// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sweep_runs.h"
#include "tools/tool_page.h"

#include <QTimer>

class SweepForm;
class SweepTabs;
struct AppContext;

/// Runs one Study with all combinations of some settings and several seeds: a live table of cells,
/// mean and standard deviation over the seeds, figures, and comparisons. Finished cells are never
/// run again: after Cancel or a restart, Run continues with the missing ones.
class SweepPage : public ToolPage {
    Q_OBJECT
public:
    explicit SweepPage(AppContext& context, QWidget* parent = nullptr);
    ~SweepPage() override;

    void takeStudy();                      ///< Uses the Study of the window as the base.
    void openSweep(const QString& file);   ///< an error is shown, and nothing changes
    void saveSweep(const QString& file);   ///< likewise
    void setSweep(const credence::Sweep& sweep);
    void cancel() override;
    bool busy() const override;   ///< running, checking or drawing
    bool running() const { return ToolPage::busy(); }
    QString workSentence() const override;

signals:
    void fileRequested(const QString& file);   ///< a saved run or Study is to be opened in the window

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
    void take(const std::shared_ptr<SweepRuns>& runs);
    void showPlan();
    void reportEnd(const credence::SweepReport& report);
    void askToMix(const credence::Build& other);   ///< before adding cells to those of another build
    void openCell(int cell);
    void refreshRun();
    std::optional<double> secondsLeftOf(const SweepSnapshot& snapshot) const;

    AppContext& m_context;
    SweepForm* m_form;
    SweepTabs* m_tabs;
    std::shared_ptr<SweepRuns> m_runs;             // the sweep of the form with its existing cells; null: not read yet
    bool m_mixBuilds = false;                      // allows the next run to add cells to those of another build
    QString m_file;                                // of the sweep in the form; empty: none yet
    int m_opening = 0;                             // number of the newest file to open
    std::optional<credence::Sweep> m_remembered;   // as last saved for the next start
    QTimer m_soon;
    bool m_begun = false, m_sound = false;   // m_sound: the cells are valid
    Worker m_looker;                         // last: its thread ends before what it updates
};
