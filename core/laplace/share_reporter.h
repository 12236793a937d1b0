// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laplace/fit_curvature.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>
#include <utility>

namespace credence {

/// Reports progress to the caller at a limited rate.
class ShareReporter {
public:
    ShareReporter(std::stop_token stop, const CurvatureProgress& progress) : stop_(std::move(stop)), progress_(progress)
    {}
    const std::stop_token& token() const { return stop_; }
    bool stopped() const { return stop_.stop_requested(); }
    void at(double share)
    {
        const auto now = std::chrono::steady_clock::now();
        if (!progress_ || (share < 1 && now - last_ < std::chrono::milliseconds(50)))
            return;
        last_              = now;
        const double spent = std::chrono::duration<double>(now - begin_).count();
        progress_(share, share > 0.02 || spent > 1 ? std::optional(spent * (1 - share) / std::max(share, 1e-9))
                                                   : std::nullopt);
    }

private:
    std::stop_token stop_;
    const CurvatureProgress& progress_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

}   // namespace credence
