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
class MessageBar;
class QLabel;
class QProgressBar;
class QPushButton;

/// Description of a tool page. A page lacks the features that are not described.
struct ToolAbout {
    QString id;                      ///< its object name; under it the state file remembers where it stood
    QString title;                   ///< of the window, and what its help is about
    std::function<QString()> help;   ///< HTML, made when it is asked for
    QSize size{940, 680};            ///< before it was ever moved
    QString run{};                   ///< text of the button that runs it; empty: it has none
    QString runTip{};
    bool pauses   = false;   ///< its work asks Progress::gate(): it can be paused and go step by step
    bool stepwise = true;    ///< of what pauses: it has a Step button, too
    bool cancels  = true;    ///< has work that can be stopped
    bool atOnce   = false;   ///< runs by itself when it is first shown
};

/// The base of every tool page: a window next to the main one with message bar, Run · Pause · Step
/// · Cancel (under the keys of the main window's Run menu), progress with the time left, Export
/// (Ctrl+E), help (F1) and a position on the screen that is remembered. Closing it (Ctrl+W) leaves
/// its work running in the background; Escape does nothing. A page gives its ToolAbout to the
/// constructor, its widgets to setContent, its charts to addChart, and defines in work() what Run
/// does.
class ToolPage : public QWidget {
    Q_OBJECT
public:
    ToolPage(ToolAbout about, QWidget* parent);
    ~ToolPage() override;

    void run() { begin(false); }   ///< shown by the page instead of the running computation
    void step();                   ///< up to the next gate, then pauses; begins if nothing is being computed
    void setPaused(bool paused);
    virtual void cancel();
    virtual void restart() {}   ///< back to the start, of a page that can go there
    virtual bool busy() const { return m_worker.busy(); }
    /// Is work under way that would be lost if the program ended? It continues while the page is
    /// closed.
    virtual bool working() const { return m_worker.busy(); }
    virtual QString workWords() const;      ///< how far it is: "42 %", "paused"
    virtual QString workSentence() const;   ///< what would be lost if the program ended now; empty: nothing
    QString exportSentence() const;         ///< likewise, of its export
    void exportCharts();                    ///< the one in front is ticked; the others can be
    void present();                         ///< shows it before all other windows
    QString message() const;                ///< shown in the bar; empty: none

signals:
    void busyChanged(bool busy);
    void progressed(double share);
    void backgroundChanged();   ///< work began, advanced or ended, or the page was closed or shown

protected:
    MessageBar* bar() const { return m_message; }
    /// The task of Run, with all its inputs; its result is shown by the function that it returns.
    /// Empty: nothing.
    /// @throws std::exception if the request is invalid: its message is shown in the message bar
    virtual Worker::Work work() { return {}; }
    /// Starts other work than Run's, replacing the current one.
    void start(Worker::Work work) { submit(std::move(work), false); }
    /// Shows the error of failed work; by default in the message bar.
    virtual void showMistake(const QString& field, const QString& sentence);

    /// @param settings  placed before the buttons in their line; may be null
    void setContent(QWidget* settings, QWidget* content);
    void addChart(credence::ChartView* view);   ///< is exported, also by its own menu
    QWidget* takeHelp();                        ///< the help mark, for a place of the page's own

    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void placeOverParent();
    void begin(bool paused);
    void submit(Worker::Work work, bool paused);
    void addRunKeys();
    QPushButton* addButton(const QString& text, const QString& name, const QString& tip);
    void showProgress(double share, std::optional<double> secondsLeft);
    void showBusy(bool busy);
    void exportFrom(const credence::ChartView* chosen);
    void refreshExport();
    void rememberGeometry() const;

    const ToolAbout m_about;
    MessageBar* m_message;
    QPushButton *m_run = nullptr, *m_pause = nullptr, *m_step = nullptr, *m_cancel = nullptr, *m_export = nullptr;
    QProgressBar* m_progress;
    QLabel* m_left;
    HelpMark* m_help;
    std::vector<credence::ChartView*> m_charts;
    ExportJob m_exports;
    Exporter* m_exporter;
    QElapsedTimer m_since;        ///< duration of the work without pauses
    double m_secondsBefore = 0;   ///< of work before the last pause
    bool m_shown           = false;
    Worker m_worker;
};
