// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/outputs_files.h"

#include "parts/ask_path.h"
#include "parts/notifier.h"
#include "session/app_context.h"
#include "work/text.h"
#include "work/worker.h"

#include "foundation/progress.h"
#include "outputs/outputs_file.h"
#include "parts/form_controls.h"
#include "views/view_support.h"

#include <QFileInfo>
#include <QPushButton>
#include <QStatusBar>

#include <cmath>

using namespace credence;

namespace {

/// Empty: stopped.
std::optional<RunSnapshot> openedSnapshot(const std::string& file, const std::string& ood, const std::stop_token& stop)
{
    std::optional<OutputsFile> own, other;
    {
        const ProgressScope first(0, ood.empty() ? 1 : 0.5);
        if (!(own = open_outputs(std::filesystem::path(file), stop)))
            return {};
    }
    if (!ood.empty()) {
        const ProgressScope second(0.5, 1);
        if (!(other = open_outputs(std::filesystem::path(ood), stop)))
            return {};
    }
    return snapshot_of_outputs(*own, other);
}

/// A run without steps, as if its training had ended.
SavedRun runOf(const RunSnapshot& opened)
{
    SavedRun run{.name      = opened.experiment->study.name,
                 .started   = {},
                 .study     = opened.experiment->study,
                 .report    = {},
                 .history   = {},
                 .snapshots = {opened.snapshot}};
    run.report.stop    = StopReason::steps_done;
    run.report.message = shared_setting(opened) + ".";
    run.report.last    = opened.snapshot;
    return run;
}

QString filter() { return OutputsFiles::tr("NumPy archives (*.npz);;Arrays in one folder (*.npy);;All files (*)"); }

}   // namespace

OutputsFiles::OutputsFiles(AppContext& context, Notifier& notifier, QStatusBar* line, QWidget* window)
    : QObject(window), m_context(context), m_notifier(notifier), m_window(window),
      m_progress(workButton(QStringLiteral("outputsProgress"), tr("Cancel reading; the display does not change"), line))
{
    connect(m_progress, &QPushButton::clicked, this, &OutputsFiles::cancel);
    connect(&m_worker, &Worker::progressed, this, [this](double share) { refresh(share); });
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) { refuse(sentence); });
    connect(&m_worker, &Worker::busyChanged, m_progress, &QPushButton::setVisible);
    const auto notify = [this] { Q_EMIT currentRun(m_context.session.run().ofOutputs()); };
    connect(&context.session, &Session::snapshotChanged, this, notify);
    connect(&context.session, &Session::stateChanged, this, notify);
}

void OutputsFiles::ask()
{
    askForFile(tr("Open imported predictions: sampled probabilities or logits"), filter(), m_window,
               [this](const QString& file) { open(file); });
}

void OutputsFiles::askOod()
{
    askForFile(tr("Open predictions of the same network for OOD data"), filter(), m_window,
               [this](const QString& file) { openOod(file); });
}

void OutputsFiles::open(const QString& file) { read(QFileInfo(file).absoluteFilePath(), {}); }

void OutputsFiles::openOod(const QString& file)
{
    const QString own = m_context.opener.shownFile();
    if (!m_context.session.run().ofOutputs() || own.isEmpty())
        return m_notifier.keep(tr("%1 was not opened: OOD data need displayed predictions. Open those first.")
                                   .arg(QFileInfo(file).fileName()));
    read(own, QFileInfo(file).absoluteFilePath());
}

void OutputsFiles::openByArrays(const QString& file)
{
    inBackground(
        this, [file] { return is_logits_file(file.toStdString()); },
        [this, file, request = m_context.opener.request()](const std::optional<bool>& logits, const QString& mistake) {
        if (!m_context.opener.isNewest(request))
            return;
        if (!logits)
            return refuse(mistake);
        if (!*logits)
            return open(file);
        m_worker.cancel();
        Q_EMIT logitsFound(file);
        });
}

void OutputsFiles::read(const QString& file, const QString& ood)
{
    m_reading = QFileInfo(ood.isEmpty() ? file : ood).fileName();
    refresh(0);
    m_worker.submit([this, file, ood, request = m_context.opener.request()](
                        std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const ProgressScope scope([&progress](double share) { progress.report(share); });
        auto opened = openedSnapshot(file.toStdString(), ood.toStdString(), stop);
        if (!opened)
            return {};
        return [this, file, ood, request, opened = std::move(*opened)] {
            if (m_context.opener.isNewest(request))
                take(opened, file, ood);
        };
    });
}

void OutputsFiles::take(const RunSnapshot& snapshot, const QString& file, const QString& ood)
{
    const int row = m_context.runs.addOutputs(std::make_shared<SavedRunEntry>(
        runOf(snapshot), snapshot.experiment, file, [own = file.toStdString(), other = ood.toStdString()] {
            const auto again = *openedSnapshot(own, other, {});   // nothing can stop it
            return std::pair(runOf(again), again.experiment);
        }));
    m_notifier.hide();
    m_context.opener.show(row);
    Q_EMIT opened(file);
}

void OutputsFiles::refuse(const QString& sentence)
{
    m_notifier.clearStatus();
    m_notifier.keep(sentence, {{tr("File format"), [this] { Q_EMIT helpRequested(); }}});
}

void OutputsFiles::refresh(double share)
{
    m_progress->setText(share > 0 ? tr("Reading %1: %2 % · Cancel").arg(m_reading).arg(std::lround(100 * share))
                                  : tr("Reading %1 … · Cancel").arg(m_reading));
}

void OutputsFiles::cancel()
{
    m_worker.cancel();
    m_progress->hide();
    m_notifier.notify(tr("Reading %1 was cancelled.").arg(m_reading));
}
