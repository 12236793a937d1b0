// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_runs.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "study/fields.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace credence {
namespace {

constexpr std::chrono::milliseconds shown_every{150};

}   // namespace

SweepRuns::SweepRuns(const Sweep& sweep, std::filesystem::path folder)
    : folder_(std::move(folder)), snapshot_{.results = collect_sweep(sweep, cells_of(sweep), folder_), .shares = {}}
{
    snapshot_.shares.assign(snapshot_.results.cells.size(), 0);
}

std::shared_ptr<const SweepSnapshot> SweepRuns::snapshot() const
{
    const std::scoped_lock lock(mutex_);
    return std::make_shared<const SweepSnapshot>(snapshot_);
}

std::shared_ptr<const SweepSnapshot> SweepRuns::at_rest() const
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
            scores = read_cell_scores(folder_.cell(cell.hash) / "results.json");
        } catch (const Error&) {
            // deleted by the user meanwhile: the cell will be run again
        }
    const std::scoped_lock lock(mutex_);
    auto& results = snapshot_.results;
    if (status.state != CellState::running || results.states[cell.index].state != CellState::running)
        snapshot_.shares[cell.index] = status.state == CellState::done || status.state == CellState::failed ? 1 : 0;
    results.states[cell.index] = status;
    if (scores)
        results.scores[cell.index] = std::move(scores);
}

double SweepRuns::share() const
{
    double done = 0;
    for (const auto index : wanted_)
        done += snapshot_.results.states[index].state == CellState::waiting ? 0 : snapshot_.shares[index];
    return wanted_.empty() ? 1 : done / static_cast<double>(wanted_.size());
}

SweepReport SweepRuns::run(const std::stop_token& stop, const Events& events, bool mix_builds)
{
    using Clock = std::chrono::steady_clock;
    Sweep sweep;
    std::vector<SweepCell> cells;
    {
        const std::scoped_lock lock(mutex_);
        sweep = snapshot_.results.sweep;
        cells = snapshot_.results.cells;
        wanted_.clear();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (snapshot_.results.states[i].state != CellState::done)
                wanted_.push_back(i);
    }
    auto shown        = Clock::now() - shown_every;
    const auto notify = [&] {
        const double now = [this] {
            const std::scoped_lock lock(mutex_);
            return share();
        }();
        events.progress(now);
        if (Clock::now() - shown < shown_every)
            return;
        events.shown(snapshot());
        shown = Clock::now();
    };
    const auto report = run_sweep(sweep, cells, folder_, {.mix_builds = mix_builds}, stop,
                                  {.changed =
                                       [&](const SweepCell& cell, const CellStatus& status) {
        take(cell, status);
        notify();
                                   },
                                   .progress =
                                       [&](const SweepCell& cell, const TrainingProgress& progress) {
        {
            const std::scoped_lock lock(mutex_);
            if (progress.steps > 0)
                snapshot_.shares[cell.index] = static_cast<double>(progress.step) / static_cast<double>(progress.steps);
        }
        notify();
                                   }});
    if (!stop.stop_requested())
        write_sweep_results(snapshot()->results, folder_.path());
    return report;
}

namespace {

bool same_work_per_step(const Study& a, const Study& b)
{
    return a.data == b.data && a.network == b.network && a.posterior.family == b.posterior.family
           && a.training.batch_size == b.training.batch_size;
}

/// Half, once and twice the current value.
SweepAxis around_now(const Field& setting, const Study& study)
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

Sweep usual_sweep(const Study& study)
{
    Sweep sweep;
    sweep.base.study = study;
    for (const char* path : {"training.learning_rate", "training.steps"})   // the first informative one
        if (const auto& setting = field(path); sweep.axes.empty() && setting.applies(study))
            sweep.axes.push_back(around_now(setting, study));
    SweepAxis seeds{.name = "seed", .values = {}};
    for (int i = 0; i < 3; ++i) {
        const long seed = static_cast<long>(study.seed) + i;
        seeds.values.push_back({std::to_string(seed), {{"seed", FieldValue(seed)}}, {}, static_cast<double>(seed)});
    }
    sweep.axes.push_back(std::move(seeds));
    return sweep;
}

std::optional<double> seconds_of_sweep(const SweepSnapshot& snapshot, const std::vector<SweepPace>& kept)
{
    const auto& results = snapshot.results;
    double done = 0, count = 0, left = 0, by_pace = 0;
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
                                          [&](const SweepPace& pace) { return same_work_per_step(pace.study, study); });
        known              = known && alike != kept.end();
        if (known)
            by_pace += alike->seconds_per_step * study.training.steps;
    }
    if (left == 0)
        return {};
    if (count > 0)
        return done / count * std::ceil(left / std::max(1U, std::thread::hardware_concurrency()));
    return known ? std::optional(by_pace) : std::nullopt;
}

}   // namespace credence
