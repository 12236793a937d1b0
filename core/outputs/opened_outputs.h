// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/outputs_file.h"
#include "runs/experiment.h"

#include <optional>

namespace credence {

/// Turns opened outputs into a recorded step that views can use; its inputs are row numbers. Views
/// that need only outputs at rows (Asks in
/// views/views.h) work as for Credence runs; all others report that they need the weights.
/// @param foreign  the rows of a second file as OOD data
/// @throws Error   if the two differ in their classes or in the number of samples
RunSnapshot moment_of_outputs(const OutputsFile& own, const std::optional<OutputsFile>& foreign = {});

}   // namespace credence
