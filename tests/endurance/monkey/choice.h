// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "endurance/monkey/action.h"

#include <random>

/// The next action on the open windows: a dialog or an open menu comes first, as for a user.
Action anyAction(std::mt19937& random);
