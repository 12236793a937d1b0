// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which of several runs is the reference posterior, and which can be compared with it.
namespace credence::view_support {

/// The first NUTS run, otherwise the first HMC run; empty: there is neither.
std::optional<std::size_t> truth_among(std::span<const RunSnapshot> runs);

/// Why a run alone cannot be the reference; empty: it can.
std::optional<std::string> why_no_truth(const Experiment& experiment);

/// Why these runs cannot be compared; empty: they can. @param truth  as returned by truth_among
std::string why_not_compared(std::span<const RunSnapshot> runs, std::optional<std::size_t> truth);

}   // namespace credence::view_support
