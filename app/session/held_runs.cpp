// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/held_runs.h"

#include "foundation/read_file.h"
#include "foundation/write_whole.h"

#include <algorithm>

using namespace credence;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostBefore = 4;   ///< strokes that undo takes back with the net: each may hold some megabytes

/// What lies in a folder, but for the mark that it is taken.
std::map<std::string, std::string> checkpointFiles(const fs::path& folder)
{
    std::map<std::string, std::string> files;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (const auto name = entry.path().filename().string(); name.starts_with("run.credence-progress"))
            files[name] = read_file(entry.path(), "an interrupted run");
    return files;
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

void HeldRuns::hold(ShownRun shown, std::unique_ptr<RunPlace> place, bool wasRunning)
{
    try {
        m_before.push_back({shown, checkpointFiles(place->path())});
        if (m_before.size() > mostBefore)
            m_before.erase(m_before.begin());
    } catch (const std::exception&) {
        // undo brings back the points alone
    }
    m_standing.emplace(Standing{std::move(shown), std::move(place), wasRunning});
}

bool HeldRuns::stood(const Study& study, const Study& now) const
{
    return std::any_of(m_before.begin(), m_before.end(), [&](const Before& one) {
        return sameTraining(study, one.shown.experiment->study) && now.data.changes.size() > study.data.changes.size()
               && isSameUntil(study, now, one.shown.report->steps);
    });
}

bool HeldRuns::bringBack(const Study& study, bool wasRunning)
{
    const auto found = std::find_if(m_before.rbegin(), m_before.rend(), [&](const Before& one) {
        return sameTraining(study, one.shown.experiment->study);
    });
    auto place       = found == m_before.rend() ? nullptr : RunPlace::free();
    if (!place)
        return false;
    try {
        for (const auto& [name, bytes] : found->files)
            write_whole(place->path() / name, bytes);
    } catch (const std::exception&) {
        return false;   // its training begins anew
    }
    drop();
    m_standing.emplace(Standing{found->shown, std::move(place), wasRunning});
    return true;
}

const ShownRun* HeldRuns::standing(const Study& study) const
{
    return m_standing && isSameUntil(this->study(), study, step()) ? &m_standing->shown : nullptr;
}

std::unique_ptr<RunPlace> HeldRuns::goOn()
{
    auto place = std::move(m_standing->place);
    m_standing.reset();
    return place;
}

void HeldRuns::drop()
{
    if (m_standing)
        m_standing->place->clear();
    m_standing.reset();
}

QString HeldRuns::release()
{
    const QString name = m_standing ? m_standing->place->name() : QString();
    m_standing.reset();
    return name;
}
