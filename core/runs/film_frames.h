// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/figure_files.h"
#include "runs/experiment.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

inline constexpr std::size_t usual_film_frames = 60;

/// Selects the frames of a film evenly from the recorded steps, always including the first and the
/// last.
/// @param frames  number of frames; empty: all steps, at most `usual_film_frames`
/// @param title   start of each caption; empty: data and method, "Two moons · mean field"
/// @throws Error  "Two moons: found 1 recorded step, expected at least 2 for a film." or "A film of
/// Two moons can have 2 to 21 frames, the number of recorded steps; found 100."
std::vector<FilmFrame> film_frames(const Study& study, std::span<const std::shared_ptr<const Snapshot>> recorded,
                                   std::optional<std::size_t> frames       = {},
                                   const std::optional<std::string>& title = {});

}   // namespace credence
