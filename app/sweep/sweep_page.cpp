// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_page.h"

#include "foundation/error.h"
#include "parts/ask_path.h"
#include "parts/toasts.h"
#include "runs/provenance.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "study/fields.h"
#include "widgets/chart_view.h"
#include "work/text.h"
#include "work/worker.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QString>

#include <algorithm>
#include <chrono>
#include <utility>

/// Help on the sweep page, as HTML.
QString sweepHelp();

QString sweepHelp()
{
    return QCoreApplication::translate(
        "SweepPage",
        "<p>A sweep runs one Study with different settings: every combination of the values, each with several "
        "seeds. Each run is a <b>cell</b>, one row of the table.</p><p><b>Base.</b> All settings that are not "
        "varied. <i>Use current Study</i> copies the displayed Study; <i>Sweeps</i> loads built-in sweeps, "
        "opens files and saves your sweep, also for <code>credence sweep FILE</code>.</p><p><b>Varied "
        "settings.</b> Type part of a setting's name and choose it. Separate values by commas, <code>0, 0.1, "
        "0.2</code>, or enter a range: <code>100 … 500 step 100</code>, <code>0.001 … 1 in 4 points, log</code>. "
        "For settings that are lists, separate values by semicolons: <code>50; 50, 50</code>.</p><p><b>Seeds.</b> "
        "A run depends on random numbers: starting weights, order of the minibatches, noise. Three seeds show by "
        "how much. Tables and bands are mean ± standard deviation over the seeds.</p><p><b>Run</b> works on "
        "several cells at once. <b>Cancel</b> keeps the finished cells, and so does quitting; <i>Run</i> continues "
        "with the missing ones. A value or seed that you add later runs only its own cells.</p><p><b>Cells.</b> "
        "Click a heading to sort. Double-click a cell to open its run, if runs are saved. "
        "<b>Summary</b>: mean and standard deviation of the selected score. <b>Figure</b>: the score along a "
        "setting, training curves with bands, and more.</p><p><b>Comparison.</b> Each seed of A is compared with "
        "the same seed of B, so that common variation cancels. <i>±</i> is the half-width of the 95 % interval of "
        "the difference (paired t). <i>P(A better)</i> is the posterior probability that A is better on average "
        "over seeds; 50 % means no evidence. <i>p</i> is the p value of this pair alone; <i>p (Holm)</i> is "
        "adjusted for the number of pairs in the table, and the verdict follows it. <i>Detectable</i> is the true "
        "difference that is detected with a power of 80 % at this number of seeds.</p><p><b>Export</b> (Ctrl+E) "
        "writes tables as CSV and LaTeX and figures as PDF, SVG or PNG; each file contains the base Study. "
        "<i>Folder</i> contains all cells with their scores.</p>");
}

using namespace credence;

namespace {

constexpr std::chrono::milliseconds typingRest{200};     ///< between the last key press and the check of the cells
constexpr std::chrono::milliseconds othersRest{2000};    ///< between two checks while another process runs cells
constexpr std::chrono::milliseconds stoppingRest{800};   ///< between a cancel and the next check

/// Folder of the cells of the window's sweeps: one per base, independent of the varied settings, so
/// that cells are reused when a value or seed is added.
std::filesystem::path folderOfSweep(const Sweep& sweep)
{
    Study base = sweep.base.study;
    base.seed  = 1;
    return std::filesystem::path(sweepsFolder().toStdString()) / study_hash(base);
}

}   // namespace

SweepPage::SweepPage(AppContext& context, QWidget* parent)
    : ToolPage({.id       = QStringLiteral("sweep"),
                .title    = tr("Sweep"),
                .help     = sweepHelp,
                .run      = tr("Ru&n"),
                .runTip   = tr("Run all missing cells"),
                .pauses   = true,
                .stepwise = false},
               parent),
      m_context(context), m_form(new SweepForm(this)), m_tabs(new SweepTabs(this))
{
    for (auto* view : m_tabs->charts())
        addChart(view);
    setContent(nullptr, buildContent());
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &SweepPage::look);
    connect(m_form, &SweepForm::changed, this, &SweepPage::lookSoon);
    connect(m_form, &SweepForm::studyWanted, this, &SweepPage::useCurrentStudy);
    connect(m_form, &SweepForm::replaced, this, [this] { m_file.clear(); });
    connect(m_form, &SweepForm::openRequested, this, &SweepPage::askToOpen);
    connect(m_form, &SweepForm::saveRequested, this, &SweepPage::askToSave);
    addFileKeys();
    connect(m_tabs, &SweepTabs::cellRequested, this, &SweepPage::openCell);
    connect(m_tabs, &SweepTabs::failed, this,
            [this](const QString&, const QString& sentence) { bar()->warn(sentence); });
    connect(&m_looker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_form->setMistake(toQString(with_labels(sentence.toStdString())));
        m_form->clearPlan();
        m_tabs->showWords(m_form->mistake());
        refreshRun();
    });
    connect(this, &ToolPage::busyChanged, this, [this](bool busy) {
        m_form->setEditable(!busy);
        refreshRun();
        if (m_sound && m_runs && m_tabs->snapshot())
            showPlan();
    });
    refreshRun();
}

SweepPage::~SweepPage() = default;

/// Applies the shortcuts of the main window's File menu to the sweep.
void SweepPage::addFileKeys()
{
    const auto key = [this](const QKeySequence& keys, auto act) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, act);
    };
    key(Qt::CTRL | Qt::Key_O, [this] {
        if (!running())
            askToOpen();
    });
    key(Qt::CTRL | Qt::Key_S, [this] { m_file.isEmpty() ? askToSave() : saveSweep(m_file); });
    key(Qt::CTRL | Qt::SHIFT | Qt::Key_S, [this] { askToSave(); });
}

void SweepPage::askToOpen()
{
    askForFile(tr("Open a sweep"), tr("Sweeps (*.json);;All files (*)"), this,
               [this](const QString& file) { openSweep(file); });
}

void SweepPage::askToSave()
{
    const QString name = m_file.isEmpty() ? QStringLiteral("sweep.json") : QFileInfo(m_file).fileName();
    askWhereToSave(tr("Save the sweep"), tr("Sweeps (*.json)"), name, QStringLiteral("json"), this,
                   [this](const QString& file) { saveSweep(file); });
}

QWidget* SweepPage::buildContent()
{
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->addWidget(m_form);
    columns->addWidget(m_tabs);
    columns->setChildrenCollapsible(false);
    columns->setStretchFactor(1, 1);
    columns->setSizes({300, 680});
    return columns;
}

void SweepPage::showEvent(QShowEvent* event)
{
    ToolPage::showEvent(event);
    if (!std::exchange(m_begun, true))
        beginWithLast();
    else if (!running())
        lookSoon();   // other processes may have continued in this folder
}

/// Starts with the last sweep, or else with the Study of the window and one suitable setting.
void SweepPage::beginWithLast()
{
    if (QFileInfo::exists(lastSweepFile()))
        try {
            auto last = load_sweep(lastSweepFile().toStdString());
            last.id.clear();   // the name of this file has no meaning
            return setSweep(last);
        } catch (const std::exception&) {
            // written by another version: ignored
        }
    setSweep(usual_sweep(m_context.session.study()));
}

void SweepPage::setSweep(const Sweep& sweep)
{
    m_begun = true;
    m_form->setSweep(sweep);
}

void SweepPage::useCurrentStudy()
{
    if (const QString mistake = m_context.document.commit(); !mistake.isEmpty()) {
        bar()->warn(tr("Not loaded. %1").arg(mistake));
        return;
    }
    m_form->setBase(m_context.session.study());
}

void SweepPage::openSweep(const QString& file)
{
    inBackground(
        this, [path = file.toStdString()] { return load_sweep(path); },
        [this, file, wanted = ++m_opening](const std::optional<Sweep>& sweep, const QString& mistake) {
        if (wanted != m_opening || running())
            return;
        if (!sweep) {
            bar()->warn(mistake);
            return;
        }
        setSweep(*sweep);
        m_file = file;
        bar()->clear();
        });
}

void SweepPage::saveSweep(const QString& file)
{
    const auto sweep = m_form->sweep();
    if (!sweep) {
        bar()->warn(tr("Not saved. %1").arg(m_form->mistake()));
        return;
    }
    try {
        save_sweep(*sweep, file.toStdString());
        m_file = file;
        bar()->notify(tr("Saved %1. On the command line: credence sweep %1").arg(QFileInfo(file).fileName()));
    } catch (const std::exception& error) {
        bar()->warn(toQString(error.what()));
    }
}

void SweepPage::lookSoon()
{
    m_sound = false;
    refreshRun();
    m_soon.start(typingRest);
}

/// Reads the form and the existing cells.
void SweepPage::look()
{
    if (running())
        return;
    const auto sweep = m_form->sweep();
    if (!sweep) {
        m_looker.cancel();
        m_form->clearPlan();
        m_tabs->showWords(m_form->mistake());
        return;
    }
    remember(*sweep);
    m_looker.submit([this, sweep = *sweep](std::stop_token, Worker::Progress&) -> Worker::Show {
        auto runs = std::make_shared<SweepRuns>(sweep, folderOfSweep(sweep));
        return [this, runs] {
            if (!running())
                take(runs);
        };
    });
}

/// Remembers the sweep for the next start. An unchanged sweep is not written, since another window
/// may have saved a newer one.
void SweepPage::remember(const Sweep& sweep)
{
    if (m_remembered == sweep)
        return;
    try {
        save_sweep(sweep, lastSweepFile().toStdString());
        m_remembered = sweep;
    } catch (const std::exception&) {
        // harmless: the next start only shows another sweep
    }
}

void SweepPage::take(const std::shared_ptr<SweepRuns>& runs)
{
    m_runs  = runs;
    m_sound = true;
    m_tabs->showSnapshot(runs->snapshot(), runs->folder().path(), running());
    showPlan();
    refreshRun();
    const auto& states = m_tabs->snapshot()->results.states;
    if (!running() && std::any_of(states.begin(), states.end(), [](const CellStatus& status) {
            return status.state == CellState::running;
        }))
        m_soon.start(othersRest);
}

void SweepPage::showPlan()
{
    const auto& snapshot = *m_tabs->snapshot();
    m_form->showPlan(snapshot, secondsLeftOf(snapshot), running());
    m_form->setFolder(toQString(m_runs->folder().path().string()));
}

/// Expected duration of the missing cells: from the finished ones, otherwise from saved runs of the
/// same network.
std::optional<double> SweepPage::secondsLeftOf(const SweepSnapshot& snapshot) const
{
    std::vector<SweepPace> kept;
    for (int row = 0; row < m_context.runs.rowCount(); ++row) {
        const auto& run = m_context.runs.at(row)->run;
        if (run.report.steps > 0 && run.report.seconds > 0 && !m_context.runs.at(row)->ofOutputs())
            kept.push_back({run.study, run.report.seconds / static_cast<double>(run.report.steps)});
    }
    return seconds_of_sweep(snapshot, kept);
}

void SweepPage::refreshRun()
{
    if (auto* run = findChild<QPushButton*>(QStringLiteral("toolRun")))
        run->setEnabled(m_sound && !running());
}

Worker::Work SweepPage::work()
{
    const auto sweep = m_form->sweep();
    if (!sweep)
        throw Error(m_form->mistake().toStdString());
    m_soon.stop();
    m_looker.cancel();
    const bool mix = std::exchange(m_mixBuilds, false);
    return [this, sweep = *sweep, mix](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const auto runs = std::make_shared<SweepRuns>(sweep, folderOfSweep(sweep));
        progress.show([this, runs] { take(runs); });
        const SweepRuns::Events events{.shown =
                                           [&](std::shared_ptr<const SweepSnapshot> snapshot) {
            progress.show([this, runs, snapshot = std::move(snapshot)] {
                m_tabs->showSnapshot(snapshot, runs->folder().path(), true);
                showPlan();
            });
                                       },
                                       .progress =
                                           [&](double share) {
            if (progress.gate())
                progress.report(share);
                                       }};
        SweepReport report;
        try {
            report = runs->run(stop, events, mix);
        } catch (const OtherBuild& other) {
            return [this, build = other.build] { askToMix(build); };
        }
        return [this, runs, report] {
            m_tabs->showSnapshot(runs->at_rest(), runs->folder().path(), false);
            showPlan();
            reportEnd(report);
        };
    };
}

void SweepPage::askToMix(const Build& other)
{
    bar()->ask(
        tr("Another build computed cells of this sweep: Credence %1. This is Credence %2. Its results may differ "
           "in the last digits or, if the code has changed, in more.")
            .arg(toQString(build_text(other)), toQString(build_text(this_build()))),
        {{tr("Run anyway"),
          [this] {
        m_mixBuilds = true;
        run();
          }},
         {tr("Not now"), {}}});
}

void SweepPage::reportEnd(const SweepReport& report)
{
    const auto& results = m_tabs->snapshot()->results;
    if (report.failed.empty()) {
        if (report.done == 0 && !report.cancelled)
            bar()->notify(tr("All %1 cells are already done.").arg(toQString(results.cells.size())));
        return;
    }
    const auto& [index, sentence] = report.failed.front();
    const QString which           = toQString(cell_words(results.sweep, results.cells.at(index)));
    const QString words           = toQString(with_labels(sentence));
    bar()->warn(report.failed.size() == 1 ? tr("One cell failed, %1: %2 Press Run to try it again.").arg(which, words)
                                          : tr("%1 cells failed. The first, %2: %3 Press Run to try them again.")
                                                .arg(toQString(report.failed.size()), which, words));
}

void SweepPage::showMistake(const QString&, const QString& sentence)
{
    bar()->warn(toQString(with_labels(sentence.toStdString())));
    lookSoon();
}

/// Cancels the run. Finished cells are kept; cells in progress start again with the next Run.
void SweepPage::cancel()
{
    const bool ran = running();
    ToolPage::cancel();
    if (ran && m_runs) {
        m_tabs->showSnapshot(m_runs->at_rest(), m_runs->folder().path(), false);
        showPlan();
        m_soon.start(stoppingRest);   // by then the interrupted cells are free
    }
}

QString SweepPage::workSentence() const
{
    return running() ? tr("A sweep is running. Its finished cells are saved; those in progress start again next time.")
                     : QString();
}

bool SweepPage::busy() const { return running() || m_soon.isActive() || m_looker.busy() || m_tabs->busy(); }

void SweepPage::openCell(int cell)
{
    if (cell < 0 || !m_runs)
        return;
    const auto& results = m_tabs->snapshot()->results;
    const auto& chosen  = results.cells.at(static_cast<std::size_t>(cell));
    const auto& status  = results.states.at(static_cast<std::size_t>(cell));
    const QString words = toQString(cell_words(results.sweep, chosen));
    const auto folder   = m_runs->folder().cell(chosen.hash);
    if (status.state == CellState::failed) {
        bar()->notify(tr("%1 failed: %2").arg(words, toQString(with_labels(status.sentence))));
    } else if (status.state != CellState::done) {
        bar()->notify(tr("%1 is not done yet: there is no run to open.").arg(words));
    } else if (exists(folder / "run.credence")) {
        bar()->clear();
        Q_EMIT fileRequested(toQString((folder / "run.credence").string()));
    } else {
        bar()->notify(
            tr("Only the scores of %1 were saved, not the run. You can open its Study and train it again.").arg(words),
            {{tr("Open Study"),
              [this, file = toQString((folder / "study.json").string())] { Q_EMIT fileRequested(file); }}});
    }
}
