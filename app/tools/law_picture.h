// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/simplex_density.h"
#include "views/views.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <stop_token>

/// A distribution of class probabilities and its Dirichlet, as shown in the tab *Simplex*.
struct LawPicture {
    std::shared_ptr<const credence::SimplexDensity> value;   ///< null: two classes, or nothing
    credence::Chart chart;                                   ///< without its table
    std::optional<credence::Table> table;                    ///< for two classes, computed with the chart
    QStringList classNames;
};

// Thread-safe. Both use a finer grid than docks and print, since the triangles in the tab are
// larger.

/// @param names  [3]
std::shared_ptr<const LawPicture> pictureByHand(const credence::LogitGaussian& law,
                                                const std::vector<std::string>& names, credence::SimplexChoice choice);
/// @return null: stopped. For a run without such a distribution, a chart that explains why.
std::shared_ptr<const LawPicture> pictureOfInput(const credence::RunSnapshot& moment, credence::ViewOptions options,
                                                 credence::SimplexChoice choice, std::stop_token stop);
