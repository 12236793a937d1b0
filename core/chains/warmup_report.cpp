// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/warmup_report.h"

#include "foundation/number_text.h"

#include <cmath>

namespace credence {
namespace {

const double settled = std::log(1.5);

/// The last two slow windows, most recent first.
std::vector<const WindowReport*> last_slow_windows(const WarmupReport& report)
{
    std::vector<const WindowReport*> found;
    for (auto window = report.windows.rbegin(); window != report.windows.rend() && found.size() < 2; ++window)
        if (window->slow)
            found.push_back(&*window);
    return found;
}

std::string factor_text(double log) { return number_text(std::exp(std::fabs(log)), 2); }

}   // namespace

std::optional<double> WarmupReport::step_size_change() const
{
    const auto slow = last_slow_windows(*this);
    if (slow.size() < 2)
        return std::nullopt;
    return std::log(slow[0]->step_size / slow[1]->step_size);
}

std::optional<double> WarmupReport::metric_change() const
{
    const auto slow = last_slow_windows(*this);
    return slow.size() < 2 ? std::nullopt : slow[0]->metric_change;
}

std::optional<bool> WarmupReport::step_size_settled() const
{
    const auto found = step_size_change();
    return found ? std::optional(std::fabs(*found) < settled) : std::nullopt;
}

std::optional<bool> WarmupReport::metric_settled() const
{
    const auto found = metric_change();
    return found ? std::optional(*found < settled) : std::nullopt;
}

std::vector<std::string> sentences(const WarmupReport& report)
{
    if (report.planned == 0)
        return {"There was no warm-up: the step size is " + number_text(report.step_size, 3)
                + ", the metric is the identity."};
    if (report.transitions < report.planned)
        return {"The warm-up is at transition " + std::to_string(report.transitions) + " of "
                + std::to_string(report.planned) + "."};
    std::vector<std::string> all;
    const std::string found = "The step size is " + number_text(report.step_size, 3);
    if (const auto change = report.step_size_change())
        all.push_back(found
                      + (*report.step_size_settled()
                             ? "; it settled: the last two windows differ by a factor of "
                             : "; it had not settled: the last two windows differ by a factor of ")
                      + factor_text(*change) + ".");
    else
        all.push_back(found + "; the warm-up was too short to tell whether it settled.");
    if (const auto change = report.metric_change())
        all.push_back(*report.metric_settled()
                          ? "The metric settled: its variances last changed by a factor of " + factor_text(*change)
                                + "."
                          : "The metric had not settled, its variances last changed by a factor of "
                                + factor_text(*change) + ". Use a longer warm-up.");
    if (report.metric != report.wanted)
        all.push_back("The metric is diagonal: no window had enough draws for a dense one. Use a longer warm-up.");
    if (report.divergences > 0)
        all.push_back(std::to_string(report.divergences) + " of " + std::to_string(report.transitions)
                      + " transitions of the warm-up diverged (" + percent_text(report.divergent_share()) + ").");
    return all;
}

}   // namespace credence
