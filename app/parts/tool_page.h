// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/export_job.h"
#include "work/worker.h"

#include <QElapsedTimer>
#include <QWidget>

#include <functional>
#include <vector>

namespace credence {
class ChartView;
}
class Exporter;
class HelpMark;
class Toasts;
class QLabel;
class QProgressBar;
class QPushButton;

/// Description of a tool page. A page lacks the features that are not described.
struct ToolAbout {
    QString id;                      ///< object name, under which the sizes of its parts are saved
    QString title;                   ///< of the page and its help
    std::function<QString()> help;   ///< HTML, generated on request
    QString run{};                   ///< text of its run button; empty: none
    QString runTip{};
    bool pauses     = false;   ///< its work calls Progress::gate(), so it can be paused and stepped
    bool stepwise   = true;    ///< if it pauses: has a Step button as well
    bool cancels    = true;    ///< its work can be cancelled
    bool atOnce     = false;   ///< runs automatically when first shown
    int leastHeight = 0;       ///< pixels at 100 % text that its charts need; in a lower window the page scrolls
};

/// Base class of all tool pages, which replace the Study in the window. It provides the message
/// bar, Run · Pause · Step · Cancel (with the shortcuts of the Run menu), progress with the time
/// left, Export (Ctrl+E) and help (F1). When the page is closed (Ctrl+W), its work continues in the
/// background. A page passes its ToolAbout to the constructor, its widgets to setContent and its
/// charts to addChart, and implements Run in work().
class ToolPage : public QWidget {
    Q_OBJECT
public:
    ToolPage(ToolAbout about, QWidget* parent);
    ~ToolPage() override;

    void run() { begin(false); }   ///< Runs with the current settings, replacing any computation in progress.
    void step();                   ///< Runs to the next gate, then pauses; starts if nothing is being computed.
    void setPaused(bool paused);
    virtual void cancel();
    virtual void restart() {}   ///< Returns to the start, if the page supports it.
    virtual bool busy() const { return m_worker.busy(); }
    /// Is work in progress that would be lost if the program ended? It continues while the page is
    /// closed.
    virtual bool working() const { return m_worker.busy(); }
    virtual QString workWords() const;      ///< progress: "42 %", "paused"
    virtual QString workSentence() const;   ///< what would be lost if the program ended now; empty: nothing
    QString exportSentence() const;         ///< what of its export would be lost; empty: nothing
    void exportCharts();                    ///< ticks the chart in front; the others can be added
    QString message() const;                ///< shown in the bar; empty: none

signals:
    void busyChanged(bool busy);
    void progressed(double share);
    void backgroundChanged();   ///< work began, advanced or ended, or the page was closed or shown

protected:
    Toasts* bar() const { return m_message; }
    /// The task of Run, with all its inputs; its result is shown by the function that it returns.
    /// Empty: nothing.
    /// @throws std::exception if the request is invalid: its message is shown in the message bar
    virtual Worker::Work work() { return {}; }
    /// Starts work other than that of Run, replacing the current work.
    void start(Worker::Work work) { submit(std::move(work), false); }
    /// Shows the error of failed work; by default in the message bar.
    virtual void showMistake(const QString& field, const QString& sentence);

    /// @param settings  placed before the buttons in their line; may be null
    void setContent(QWidget* settings, QWidget* content);
    void addChart(credence::ChartView* view);   ///< Makes the chart exportable, also from its own menu.
    QWidget* takeHelp();                        ///< Releases the help mark, to be placed by the page.

    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void begin(bool paused);
    void submit(Worker::Work work, bool paused);
    void addRunKeys();
    QPushButton* addButton(const QString& text, const QString& name, const QString& tip);
    void showProgress(double share, std::optional<double> secondsLeft);
    void showBusy(bool busy);
    void exportFrom(const credence::ChartView* chosen);
    void refreshExport();

    const ToolAbout m_about;
    Toasts* m_message;
    QPushButton *m_run = nullptr, *m_pause = nullptr, *m_step = nullptr, *m_cancel = nullptr, *m_export = nullptr;
    QProgressBar* m_progress;
    QLabel* m_left;
    HelpMark* m_help;
    std::vector<credence::ChartView*> m_charts;
    ExportJob m_exports;
    Exporter* m_exporter;
    QElapsedTimer m_since;        ///< duration of the work without pauses
    double m_secondsBefore = 0;   ///< running time before the last pause
    bool m_shown           = false;
    Worker m_worker;
};
