// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which of several runs stands for the true posterior, and what may be held against it.
namespace credence::view_support {

/// The first run of NUTS, else the first of HMC; empty: neither is among them.
std::optional<std::size_t> truth_among(std::span<const RunMoment> runs);

/// Why a run alone cannot stand for the truth; empty: it can.
std::optional<std::string> why_no_truth(const Experiment& experiment);

/// Why these runs cannot be compared; empty: they can. @param truth  as truth_among says
std::string why_not_compared(std::span<const RunMoment> runs, std::optional<std::size_t> truth);

}   // namespace credence::view_support
