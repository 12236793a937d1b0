// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "gallery/gallery.h"

#include <optional>
#include <string>

namespace credence {

struct MeanAndError {
    double mean = 0;
    std::optional<double> error;   ///< as printed after "±"; empty: none
    bool operator==(const MeanAndError&) const = default;
};
/// Reads "−0.90 ± 0.01" and "2.64 ± 0.09 (12 of 20 splits)"; empty: another text.
std::optional<MeanAndError> mean_and_error_from(const std::string& text);

/// Dot plots of an entry whose values are named "RMSE, METHOD" or "NLL, METHOD" and have means with
/// errors: a panel per score, printed and ours by method. For a figure without values: the NLL of all such entries of its
/// paper, minus the printed value of the first method. Empty: the entry has no such values.
std::optional<Chart> benchmark_chart(const Gallery& gallery, const GalleryEntry& entry);

}   // namespace credence
