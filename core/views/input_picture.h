// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/view_support.h"

namespace credence::view_support {

/// Sets the image that a chart is about to its left.
void add_input_picture(Chart& chart, const Experiment& experiment, const ChosenInput& input);

}   // namespace credence::view_support
