// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <string>

namespace credence {

/// The part of the captions that a run's figures share: "Data: Two moons (400 training and 100 test
/// rows). Network: …. Seed 1", without step and draws.
std::string shared_setting(const RunSnapshot& moment);

/// "400 training and 100 test rows", "160 training, 40 validation and 50 test images".
std::string rows_of_parts(const Experiment& experiment);

}   // namespace credence
