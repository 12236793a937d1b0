// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/unfinished_work.h"

#include <algorithm>

std::vector<const UnfinishedWork::Work*> UnfinishedWork::inProgress() const
{
    std::vector<const Work*> found;
    for (const auto& [owner, work] : m_all)
        if (owner && !work.words().isEmpty())
            found.push_back(&work);
    return found;
}

QStringList UnfinishedWork::sentences() const
{
    QStringList all;
    for (const auto* work : inProgress())
        all += work->words();
    return all;
}

bool UnfinishedWork::canDiscard() const
{
    const auto all = inProgress();
    return std::any_of(all.begin(), all.end(), [](const Work* work) { return static_cast<bool>(work->discard); });
}

void UnfinishedWork::discard() const
{
    for (const auto* work : inProgress())
        if (work->discard)
            work->discard();
}
