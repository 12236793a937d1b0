// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/metric.h"

#include <optional>
#include <string>
#include <vector>

namespace credence {

/// The results of one warm-up window.
struct WindowReport {
    long begin = 0, end = 0;   ///< transitions begin … end - 1
    bool slow             = false;
    double step_size      = 0;   ///< found by dual averaging
    double acceptance     = 0;   ///< mean of the acceptance statistic
    double leapfrog_steps = 0;   ///< mean per transition
    long divergences      = 0;
    /// Slow windows: the difference between the metric set at the end of the window and the
    /// previous metric, as the root mean square of ln(variance / previous variance) over all
    /// weights.
    std::optional<double> metric_change{};
    bool operator==(const WindowReport&) const = default;
};

/// The results of a warm-up. Unknown values are empty.
struct WarmupReport {
    long transitions       = 0;   ///< done so far
    long planned           = 0;
    long divergences       = 0;
    long leapfrog_steps    = 0;
    double first_step_size = 0;   ///< found by the search
    double step_size       = 0;   ///< of the draws
    double target          = 0;   ///< of the acceptance statistic
    MetricKind wanted      = MetricKind::diagonal;
    MetricKind metric      = MetricKind::diagonal;   ///< diagonal if no window had enough draws for a dense one
    std::vector<WindowReport> windows{};

    double divergent_share() const
    {
        return transitions > 0 ? static_cast<double>(divergences) / static_cast<double>(transitions) : 0;
    }
    /// ln of the ratio of the step sizes found by the last two slow windows; empty for fewer than
    /// two.
    std::optional<double> step_size_change() const;
    /// The metric change of the last slow window; empty for fewer than two.
    std::optional<double> metric_change() const;
    std::optional<bool> step_size_settled() const;   ///< it changed by less than a factor of 1.5
    std::optional<bool> metric_settled() const;      ///< scales changed by less than a factor of 1.5 on average
    bool operator==(const WarmupReport&) const = default;
};

/// The findings of a warm-up for users, one sentence each, the most important first: "The step size
/// settled at 0.31 …".
std::vector<std::string> sentences(const WarmupReport& report);

}   // namespace credence
