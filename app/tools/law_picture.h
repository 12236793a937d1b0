// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/simplex_density.h"
#include "views/views.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <stop_token>

/// A law of class probabilities beside its Dirichlet as the tab *Simplex* shows it.
struct LawPicture {
    std::shared_ptr<const credence::SimplexDensity> value;   ///< null: two classes, or nothing
    credence::Chart chart;                                   ///< without table
    std::optional<credence::Table> table;                    ///< two classes bring theirs along
    QStringList classNames;
};

// Any thread. Both draw finer than the docks and print do: the tab's triangles are larger.

/// @param names  [3]
std::shared_ptr<const LawPicture> pictureByHand(const credence::LogitGaussian& law,
                                                const std::vector<std::string>& names, credence::SimplexChoice choice);
/// @return null: stopped. Of a run that has no such law, a chart that says why.
std::shared_ptr<const LawPicture> pictureOfInput(const credence::RunMoment& moment, credence::ViewOptions options,
                                                 credence::SimplexChoice choice, std::stop_token stop);
