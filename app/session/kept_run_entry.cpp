// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kept_run_entry.h"

#include "study/names.h"

#include <algorithm>
#include <tuple>

using namespace credence;

namespace {

/// What stands in the list of a run.
KeptRun headOf(const KeptRun& run)
{
    KeptRun head{.name      = run.name,
                 .started   = run.started,
                 .study     = run.study,
                 .report    = run.report,
                 .history   = {},
                 .snapshots = {},
                 .table     = {}};
    head.report.last.reset();
    const auto scored = std::find_if(run.history.rbegin(), run.history.rend(), [](const TrainingPoint& point) {
        return point.test_error || point.training_error;
    });
    if (scored != run.history.rend())
        head.history.push_back(*scored);
    return head;
}

}   // namespace

std::shared_ptr<const Snapshot> endOf(const KeptRun& run)
{
    return run.snapshots.empty() ? run.report.last : run.snapshots.back();
}

/// What the run had to learn. A table whose task was found out from its target: from its experiment, or from the net, which has at least two outputs
/// for classes and one for a number (two if it learns the noise as well; then a share of wrong answers above 1 gives it away).
Task taskOf(const KeptRun& run, const Experiment* experiment)
{
    if (experiment)
        return experiment->task();
    if (const auto stated = stated_task(run.study.data))
        return *stated;
    const auto last = endOf(run);
    if (last && last->posterior && !last->posterior->layout().blocks.empty()
        && last->posterior->layout().blocks.back().size == 1)
        return Task::regression;
    const bool large = std::any_of(run.history.begin(), run.history.end(),
                                   [](const auto& point) { return point.training_error.value_or(0) > 1; });
    return large ? Task::regression : Task::classification;
}

KeptRunEntry::KeptRunEntry(KeptRun kept, std::shared_ptr<const Experiment> experiment, QString where)
    : KeptRunEntry(std::move(kept), std::move(experiment), std::move(where), {})
{}

KeptRunEntry::KeptRunEntry(KeptRun kept, std::shared_ptr<const Experiment> experiment, QString where, Reopen reopen)
    : run(headOf(kept)), file(std::move(where)), m_study(run.study), m_task(taskOf(kept, experiment.get())),
      m_file(file), m_reopen(std::move(reopen)), m_whole(std::make_shared<const KeptRun>(std::move(kept))),
      m_experiment(std::move(experiment)), m_stored(m_reopen != nullptr), m_end(endOf(*m_whole))
{}

KeptRunEntry::KeptRunEntry(const RunSummary& summary, Task task, QString where)
    : run{.name      = summary.name,
          .started   = summary.started,
          .study     = summary.study,
          .report    = summary.report,
          .history   = {},
          .snapshots = {}},
      file(std::move(where)), m_study(run.study), m_task(task), m_file(file), m_stored(true)
{
    if (summary.last)
        run.history.push_back(*summary.last);
}

std::shared_ptr<const KeptRun> KeptRunEntry::whole() const
{
    const std::lock_guard lock(m_mutex);
    return read();
}

/// With the mutex held.
const std::shared_ptr<const KeptRun>& KeptRunEntry::read() const
{
    if (m_whole)
        return m_whole;
    KeptRun run;
    if (m_reopen)
        std::tie(run, m_experiment) = m_reopen();
    else
        run = load_run(pathOf(m_file));
    const std::lock_guard lock(m_endMutex);
    if (auto known = m_end.lock(); known && !run.snapshots.empty())
        run.snapshots.back() = std::move(known);   // may be on show: it stays the same one
    else
        m_end = endOf(run);
    m_whole = std::make_shared<const KeptRun>(std::move(run));
    return m_whole;
}

bool KeptRunEntry::inMemory() const
{
    const std::lock_guard lock(m_mutex);
    return m_whole != nullptr;
}

void KeptRunEntry::setStored(bool stored)
{
    const std::lock_guard lock(m_mutex);
    m_stored = stored;
}

bool KeptRunEntry::isEndOf(const std::shared_ptr<const Snapshot>& newest) const
{
    const std::lock_guard lock(m_endMutex);
    const auto end = m_end.lock();
    return end && end == newest;
}

void KeptRunEntry::letGo()
{
    const std::lock_guard lock(m_mutex);
    if (!m_stored)
        return;
    m_whole.reset();
    if (m_reopen) {   // of outputs the end is all there is
        m_last.reset();
        m_experiment.reset();
    }
}

RunMoment KeptRunEntry::end(const std::string& name) const
{
    const std::lock_guard lock(m_mutex);
    if (!m_last) {
        const auto& all = *read();
        m_last          = endOf(all);
        m_history       = std::make_shared<const TrainingHistory>(all.history);
    }
    if (!m_experiment)
        m_experiment = prepare(m_study);
    if (m_experiment->study.name == name)
        return {m_experiment, m_last, m_history};
    Study named = m_experiment->study;
    named.name  = name;
    return {with_study(*m_experiment, named), m_last, m_history};
}
