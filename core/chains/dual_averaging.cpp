// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/dual_averaging.h"

#include "foundation/error.h"

#include <cmath>
#include <string>

namespace credence {

DualAveraging::DualAveraging(double step_size, const DualAveragingOptions& options) : options_(options)
{
    if (!(options.target > 0 && options.target < 1))
        throw Error("Warm-up: the target of the acceptance statistic is " + std::to_string(options.target)
                    + ", expected a number between 0 and 1.");
    restart(step_size);
}

void DualAveraging::restart(double step_size)
{
    mu_          = std::log(step_size);
    h_           = 0;
    log_average_ = 0;
    step_size_   = step_size;
    t_           = 0;
}

void DualAveraging::learn(double acceptance)
{
    const double alpha = acceptance >= 0 ? std::fmin(acceptance, 1.0) : 0.0;
    const auto t       = static_cast<double>(++t_);
    const double share = 1 / (t + options_.t0);
    h_                 = (1 - share) * h_ + share * (options_.target - alpha);
    const double log   = mu_ - std::sqrt(t) / options_.gamma * h_;
    const double fresh = std::pow(t, -options_.kappa);
    log_average_       = fresh * log + (1 - fresh) * log_average_;
    step_size_         = std::exp(log);
}

void DualAveraging::serialise(StateBytes& state)
{
    state.value(mu_);
    state.value(h_);
    state.value(log_average_);
    state.value(step_size_);
    state.value(t_);
}

double DualAveraging::averaged() const { return t_ == 0 ? step_size_ : std::exp(log_average_); }

}   // namespace credence
