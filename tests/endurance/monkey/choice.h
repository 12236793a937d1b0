// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "endurance/monkey/action.h"

#include <random>

/// What to do next with what is open now: a dialog or an opened menu is in front, as it is for a user.
Action anyAction(std::mt19937& random);
