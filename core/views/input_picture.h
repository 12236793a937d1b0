// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/view_support.h"

namespace credence::view_support {

/// Adds the input image to the left of a chart.
void add_input_picture(Chart& chart, const Experiment& experiment, const ChosenInput& input);

}   // namespace credence::view_support
