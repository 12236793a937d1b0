// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/score_against_axis.h"
#include "posterior/posterior.h"

namespace credence {

/// The block uncertainties of the runs' posteriors, for one combination of the other axes.
struct SweptLayers {
    std::string name{};
    std::vector<std::vector<LayerUncertainty>>
        of_seeds{};   ///< for each value of the axis, one entry per run [n][seeds]
};

/// The uncertainty of each block of weights against one axis of a sweep (Posch and Pilz 2021, Table
/// II; Steinbrener et al. 2020, Table 3).
struct TauAgainstAxis {
    SweptAxis axis{};
    std::vector<SweptLayers> series{};
};

/// Draws one panel per block, by name, as to_chart(ScoresAgainstAxis) does: τ, or the median of
/// σ/|μ| for a posterior with one σ per weight. Posteriors without spread have neither. Without
/// any: a message.
Chart to_chart(const TauAgainstAxis& value);

}   // namespace credence
