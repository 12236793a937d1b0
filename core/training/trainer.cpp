// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include "foundation/finite.h"
#include "foundation/flush_denormals.h"
