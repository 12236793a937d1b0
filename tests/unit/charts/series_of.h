// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <vector>

namespace credence {

/// All series of one kind in a panel, in order.
template <class Kind>
std::vector<Kind> series_of(const Panel& panel)
{
    std::vector<Kind> out;
    for (const auto& series : panel.series)
        if (const auto* kind = std::get_if<Kind>(&series))
            out.push_back(*kind);
    return out;
}

}   // namespace credence
