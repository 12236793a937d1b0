// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/outputs_file.h"
#include "runs/experiment.h"

#include <optional>

namespace credence {

/// Makes of opened outputs what views ask for: a run at a moment, whose inputs are the numbers of the rows. Views that ask for outputs at rows alone (Asks in
/// views/views.h) work as for our own runs; all others say that they need the weights.
/// @param foreign  the rows of a second file as foreign data
/// @throws Error   if the two differ in their classes or in the number of their draws
RunMoment moment_of_outputs(const OutputsFile& own, const std::optional<OutputsFile>& foreign = {});

}   // namespace credence
