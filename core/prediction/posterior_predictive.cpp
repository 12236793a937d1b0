// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/posterior_predictive.h"
