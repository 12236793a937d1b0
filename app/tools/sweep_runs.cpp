// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sweep_runs.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "runs/provenance.h"
#include "session/settings.h"
#include "study/fields.h"
#include "tools/sweep_tables.h"
#include "work/text.h"

#include <QCoreApplication>
#include <QStringList>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace credence;

namespace {

constexpr std::chrono::milliseconds sweepFrameTime{150};

}   // namespace

SweepRuns::SweepRuns(const Sweep& sweep, std::filesystem::path folder)
    : m_folder(std::move(folder)), m_snapshot{.results = collect_sweep(sweep, cells_of(sweep), m_folder), .shares = {}}
{
    m_snapshot.shares.assign(m_snapshot.results.cells.size(), 0);
}

std::shared_ptr<const SweepSnapshot> SweepRuns::snapshot() const
{
    const std::scoped_lock lock(m_mutex);
    return std::make_shared<const SweepSnapshot>(m_snapshot);
}

std::shared_ptr<const SweepSnapshot> SweepRuns::atRest() const
{
    SweepSnapshot rest = *snapshot();
    for (auto& status : rest.results.states)
        if (status.state == CellState::running)
            status = {};
    rest.shares.assign(rest.shares.size(), 0);
    return std::make_shared<const SweepSnapshot>(std::move(rest));
}

void SweepRuns::take(const SweepCell& cell, const CellStatus& status)
{
    std::optional<CellScores> scores;
    if (status.state == CellState::done)
        try {
            scores = read_cell_scores(m_folder.cell(cell.hash) / "results.json");
        } catch (const Error&) {
            // removed by hand meanwhile: will be run again
        }
    const std::scoped_lock lock(m_mutex);
    auto& results = m_snapshot.results;
    if (status.state != CellState::running || results.states[cell.index].state != CellState::running)
        m_snapshot.shares[cell.index] = status.state == CellState::done || status.state == CellState::failed ? 1 : 0;
    results.states[cell.index] = status;
    if (scores)
        results.scores[cell.index] = std::move(scores);
}

double SweepRuns::share() const
{
    double done = 0;
    for (const auto index : m_wanted)
        done += m_snapshot.results.states[index].state == CellState::waiting ? 0 : m_snapshot.shares[index];
    return m_wanted.empty() ? 1 : done / static_cast<double>(m_wanted.size());
}

SweepReport SweepRuns::run(const std::stop_token& stop, const Events& events, bool mixBuilds)
{
    using Clock = std::chrono::steady_clock;
    Sweep sweep;
    std::vector<SweepCell> cells;
    {
        const std::scoped_lock lock(m_mutex);
        sweep = m_snapshot.results.sweep;
        cells = m_snapshot.results.cells;
        m_wanted.clear();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (m_snapshot.results.states[i].state != CellState::done)
                m_wanted.push_back(i);
    }
    auto shown        = Clock::now() - sweepFrameTime;
    const auto notify = [&] {
        const double now = [this] {
            const std::scoped_lock lock(m_mutex);
            return share();
        }();
        events.progress(now);
        if (Clock::now() - shown < sweepFrameTime)
            return;
        events.shown(snapshot());
        shown = Clock::now();
    };
    const auto report = run_sweep(sweep, cells, m_folder, {.mix_builds = mixBuilds}, stop,
                                  {.changed =
                                       [&](const SweepCell& cell, const CellStatus& status) {
        take(cell, status);
        notify();
                                   },
                                   .progress =
                                       [&](const SweepCell& cell, const TrainingProgress& progress) {
        {
            const std::scoped_lock lock(m_mutex);
            if (progress.steps > 0)
                m_snapshot.shares[cell.index] = static_cast<double>(progress.step)
                                                / static_cast<double>(progress.steps);
        }
        notify();
                                   }});
    if (!stop.stop_requested())
        write_sweep_results(snapshot()->results, m_folder.path());
    return report;
}

namespace {

bool sameWorkAStep(const Study& a, const Study& b)
{
    return a.data == b.data && a.network == b.network && a.posterior.family == b.posterior.family
           && a.training.batch_size == b.training.batch_size;
}

/// Half, once and twice the current value.
SweepAxis aroundNow(const Field& setting, const Study& study)
{
    const FieldValue now = setting.get(study);
    SweepAxis axis{.name = setting.path, .values = {}};
    for (const double factor : {0.5, 1.0, 2.0}) {
        const auto* whole      = std::get_if<long>(&now);
        const double number    = whole ? std::round(factor * static_cast<double>(*whole))
                                       : rounded_number(factor * std::get<double>(now), 3);
        const FieldValue value = whole ? FieldValue(std::lround(number)) : FieldValue(number);
        axis.values.push_back({value_text(value), {{setting.path, value}}, {}, number});
    }
    return axis;
}

}   // namespace

std::filesystem::path folderOfSweep(const Sweep& sweep)
{
    Study base = sweep.base.study;
    base.seed  = 1;
    return std::filesystem::path(sweepsFolder().toStdString()) / study_hash(base);
}

Sweep usualSweep(const Study& study)
{
    Sweep sweep;
    sweep.base.study = study;
    for (const char* path : {"training.learning_rate", "training.steps"})   // the first informative one
        if (const auto& setting = field(path); sweep.axes.empty() && setting.applies(study))
            sweep.axes.push_back(aroundNow(setting, study));
    SweepAxis seeds{.name = "seed", .values = {}};
    for (int i = 0; i < 3; ++i) {
        const long seed = static_cast<long>(study.seed) + i;
        seeds.values.push_back({std::to_string(seed), {{"seed", FieldValue(seed)}}, {}, static_cast<double>(seed)});
    }
    sweep.axes.push_back(std::move(seeds));
    return sweep;
}

std::optional<double> secondsOfSweep(const SweepSnapshot& snapshot, const std::vector<SweepPace>& kept)
{
    const auto& results = snapshot.results;
    double done = 0, count = 0, left = 0, byPace = 0;
    bool known = true;
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        if (results.states[i].state == CellState::done) {
            if (results.scores[i] && results.scores[i]->seconds) {
                done += *results.scores[i]->seconds;
                ++count;
            }
            continue;
        }
        ++left;
        const Study& study = results.cells[i].study;
        const auto alike   = std::find_if(kept.begin(), kept.end(),
                                          [&](const SweepPace& pace) { return sameWorkAStep(pace.study, study); });
        known              = known && alike != kept.end();
        if (known)
            byPace += alike->secondsPerStep * study.training.steps;
    }
    if (left == 0)
        return {};
    if (count > 0)
        return done / count * std::ceil(left / std::max(1, QThread::idealThreadCount()));
    return known ? std::optional(byPace) : std::nullopt;
}

QString sweepPlanWords(const SweepSnapshot& snapshot, std::optional<double> seconds)
{
    const auto tr       = [](const char* words) { return QCoreApplication::translate("SweepPlan", words); };
    const auto& results = snapshot.results;
    QStringList factors;
    for (const auto& axis : results.sweep.axes)
        if (const auto n = axis.values.size(); axis.is_seed())
            factors += n == 1 ? tr("1 seed") : tr("%1 seeds").arg(n);
        else
            factors += QString::number(n);
    QString words = results.cells.size() == 1 ? tr("1 cell") : tr("%1 cells").arg(toQString(results.cells.size()));
    if (factors.size() > 1)
        words += QStringLiteral(" (%1)").arg(factors.join(QStringLiteral(" × ")));
    words += QStringLiteral(", ") + sweepStateWords(results);
    if (results.n_done() == results.cells.size())
        return words + QLatin1Char('.');
    words += seconds ? tr("; about %1 remaining.").arg(durationText(*seconds))
                     : tr(". A time estimate appears after the first run.");
    return words;
}
