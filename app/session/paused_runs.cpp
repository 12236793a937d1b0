// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/paused_runs.h"

#include <algorithm>

using namespace credence;

namespace {

/// Limits on the states that undo and redo can restore
constexpr std::size_t mostBefore = 20, mostBytes = std::size_t{256} << 20;

std::size_t sizeOf(const CheckpointSlot::Files& files)
{
    std::size_t bytes = 0;
    for (const auto& [name, content] : files)
        bytes += content.size();
    return bytes;
}

}   // namespace

bool isSameUntil(const Study& before, const Study& after, long step)
{
    const auto& then = before.data.changes;
    const auto& now  = after.data.changes;
    if (then.size() > now.size() || !std::equal(then.begin(), then.end(), now.begin())
        || (now.size() > then.size() && now[then.size()].step < step))
        return false;
    Study same        = before;
    same.data.changes = now;
    return sameTraining(std::move(same), after);
}

void PausedRuns::hold(DisplayedRun shown, LeftRun left, bool wasRunning)
{
    if (left.files)   // otherwise undo restores only the points
        remember(shown, std::move(left.files));
    m_standing.emplace(Standing{std::move(shown), {std::move(left.place), nullptr}, wasRunning});
}

void PausedRuns::remember(DisplayedRun shown, std::shared_ptr<const CheckpointSlot::Files> files)
{
    m_before.push_back({std::move(shown), std::move(files)});
    std::size_t bytes = 0;
    auto oldest       = m_before.end();
    while (oldest != m_before.begin() && m_before.end() - oldest < static_cast<std::ptrdiff_t>(mostBefore)
           && (bytes += sizeOf(*std::prev(oldest)->files)) <= mostBytes)
        --oldest;
    m_before.erase(m_before.begin(), oldest);
}

bool PausedRuns::stood(const Study& study, const Study& now) const
{
    Study same        = study;
    same.data.changes = now.data.changes;
    return study.data.changes != now.data.changes && sameTraining(std::move(same), now)
           && std::any_of(m_before.begin(), m_before.end(),
                          [&](const Before& one) { return sameTraining(study, one.shown.experiment->study); });
}

bool PausedRuns::bringBack(const Study& study, bool wasRunning)
{
    const auto found = std::find_if(m_before.rbegin(), m_before.rend(), [&](const Before& one) {
        return sameTraining(study, one.shown.experiment->study);
    });
    auto place       = found == m_before.rend() ? nullptr : CheckpointSlot::free();
    if (!place)
        return false;
    drop();
    m_standing.emplace(Standing{found->shown, {std::move(place), found->files}, wasRunning});
    return true;
}

const DisplayedRun* PausedRuns::standing(const Study& study) const
{
    return m_standing && isSameUntil(this->study(), study, step()) ? &m_standing->shown : nullptr;
}

LeftRun PausedRuns::goOn()
{
    LeftRun left = std::move(m_standing->left);
    m_standing.reset();
    return left;
}

void PausedRuns::drop()
{
    if (m_standing)
        m_standing->left.place->clear();
    m_standing.reset();
}

QString PausedRuns::release()
{
    if (!m_standing)
        return {};
    const auto left = std::move(m_standing->left);
    m_standing.reset();
    try {
        if (left.files)
            left.place->write(*left.files);
    } catch (const std::exception&) {
        left.place->clear();
        return {};
    }
    return left.place->name();
}
