// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sweep_runs.h"

#include "foundation/error.h"

#include <algorithm>
#include <utility>

using namespace credence;

namespace {

constexpr std::chrono::milliseconds sweepFrameTime{150};

}   // namespace

SweepRuns::SweepRuns(const Sweep& sweep, std::filesystem::path folder)
    : m_folder(std::move(folder)), m_moment{.results = collect_sweep(sweep, cells_of(sweep), m_folder), .shares = {}}
{
    m_moment.shares.assign(m_moment.results.cells.size(), 0);
}

std::shared_ptr<const SweepSnapshot> SweepRuns::moment() const
{
    const std::scoped_lock lock(m_mutex);
    return std::make_shared<const SweepSnapshot>(m_moment);
}

std::shared_ptr<const SweepSnapshot> SweepRuns::atRest() const
{
    SweepSnapshot rest = *moment();
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
    auto& results = m_moment.results;
    if (status.state != CellState::running || results.states[cell.index].state != CellState::running)
        m_moment.shares[cell.index] = status.state == CellState::done || status.state == CellState::failed ? 1 : 0;
    results.states[cell.index] = status;
    if (scores)
        results.scores[cell.index] = std::move(scores);
}

double SweepRuns::share() const
{
    double done = 0;
    for (const auto index : m_wanted)
        done += m_moment.results.states[index].state == CellState::waiting ? 0 : m_moment.shares[index];
    return m_wanted.empty() ? 1 : done / static_cast<double>(m_wanted.size());
}

SweepReport SweepRuns::run(const std::stop_token& stop, const Events& events, bool mixBuilds)
{
    using Clock = std::chrono::steady_clock;
    Sweep sweep;
    std::vector<SweepCell> cells;
    {
        const std::scoped_lock lock(m_mutex);
        sweep = m_moment.results.sweep;
        cells = m_moment.results.cells;
        m_wanted.clear();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (m_moment.results.states[i].state != CellState::done)
                m_wanted.push_back(i);
    }
    auto shown      = Clock::now() - sweepFrameTime;
    const auto tell = [&] {
        const double now = [this] {
            const std::scoped_lock lock(m_mutex);
            return share();
        }();
        events.progress(now);
        if (Clock::now() - shown < sweepFrameTime)
            return;
        events.shown(moment());
        shown = Clock::now();
    };
    const auto report = run_sweep(sweep, cells, m_folder, {.mix_builds = mixBuilds}, stop,
                                  {.changed =
                                       [&](const SweepCell& cell, const CellStatus& status) {
        take(cell, status);
        tell();
                                   },
                                   .progress =
                                       [&](const SweepCell& cell, const TrainingProgress& progress) {
        {
            const std::scoped_lock lock(m_mutex);
            if (progress.steps > 0)
                m_moment.shares[cell.index] = static_cast<double>(progress.step) / static_cast<double>(progress.steps);
        }
        tell();
                                   }});
    if (!stop.stop_requested())
        write_sweep_results(moment()->results, m_folder.path());
    return report;
}
