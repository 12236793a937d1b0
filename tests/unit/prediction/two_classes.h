// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"

namespace credence {

/// One draw each: [n × 2] probabilities (p, 1 − p).
inline ClassPredictions two_classes(const std::vector<double>& p)
{
    std::vector<double> values;
    for (const double q : p)
        values.insert(values.end(), {q, 1 - q});
    return class_predictions(SampleView<double>{values, 1, static_cast<int>(p.size()), 2});
}

}   // namespace credence
