// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/score_against_axis.h"
#include "posterior/posterior.h"

namespace credence {

/// What the posteriors of the runs say of their blocks, for one combination of the other axes.
struct SweptLayers {
    std::string name{};
    std::vector<std::vector<LayerUncertainty>>
        of_seeds{};   ///< for each value of the axis those of its runs [n][seeds]
};

/// How uncertain each block of weights is, against one axis of a sweep (Posch and Pilz 2021, Table II; Steinbrener et al. 2020, Table 3).
struct TauAgainstAxis {
    SweptAxis axis{};
    std::vector<SweptLayers> series{};
};

/// Draws a panel a block, by name, as to_chart(ScoresAgainstAxis) does: τ, or of a posterior that has a σ for each weight the median of σ/|μ|. Posteriors without
/// spread have none of the two. No run with one: a message.
Chart to_chart(const TauAgainstAxis& value);

}   // namespace credence
