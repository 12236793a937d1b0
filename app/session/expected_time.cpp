// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/expected_time.h"

#include "session/saved_runs.h"
#include "session/settings.h"

#include "study/fields.h"
#include "study/method.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

using namespace credence;

namespace {

/// Settings that leave the time of a step as it is.
bool keepsPace(const Change& change)
{
    constexpr std::array paths{"seed",       "training.steps", "training.learning_rate", "training.max_seconds",
                               "data.noise", "data.seed",      "training.kl_weight"};
    constexpr std::array<std::string_view, 3> beginnings{"prediction.", "split.", "prior."};
    return std::ranges::find(paths, change.path) != paths.end()
           || std::ranges::any_of(beginnings, [&](const auto begin) { return change.path.starts_with(begin); });
}

bool samePace(const Study& past, const Study& study)
{
    return past.posterior.family == study.posterior.family && past.network == study.network
           && past.data.source == study.data.source && std::ranges::all_of(changes_between(past, study), keepsPace);
}

}   // namespace

std::optional<double> expectedTime(const Study& study, const SavedRuns& runs)
{
    constexpr std::size_t enough = 5;
    const QString folder         = runsFolder() + QLatin1Char('/');
    std::vector<double> paces;   // seconds per step
    for (int row = 0; row < runs.rowCount() && paces.size() < enough; ++row) {
        const auto& entry = *runs.at(row);
        const auto& past  = entry.run;
        if (!entry.ofOutputs() && entry.file.startsWith(folder) && past.report.stop == StopReason::steps_done
            && past.report.seconds > 0 && steps_of(past.study) > 0 && samePace(past.study, study))
            paces.push_back(past.report.seconds / static_cast<double>(steps_of(past.study)));
    }
    if (paces.empty())
        return {};
    const auto middle = paces.begin() + static_cast<std::ptrdiff_t>(paces.size() / 2);
    std::ranges::nth_element(paces, middle);
    const double seconds = *middle * static_cast<double>(steps_of(study)), most = study.training.max_seconds;
    return most > 0 ? std::min(seconds, most) : seconds;
}

QString expectedTimeText(double seconds)
{
    const auto tr           = [](const char* text) { return QCoreApplication::translate("ExpectedTime", text); };
    constexpr double minute = 60, hour = 3600;
    if (seconds < 1)
        return tr("< 1 s");
    if (seconds < 1.5 * minute)
        return tr("≈ %1 s").arg(seconds, 0, 'f', 0);
    if (seconds < 1.5 * hour)
        return tr("≈ %1 min").arg(seconds / minute, 0, 'f', 0);
    return tr("≈ %1 h").arg(seconds / hour, 0, 'f', 1);
}
