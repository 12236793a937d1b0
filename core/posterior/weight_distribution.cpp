// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/weight_distribution.h"
