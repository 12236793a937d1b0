// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

namespace credence {

/// Settings that a table of this size can begin with: one hidden layer of 50 units, learning rate 0.003 that falls to 0 along a cosine, and as many
/// steps as 60 epochs of minibatches of 100, at least 3000 and at most 30,000. The posterior, its prior, the split and the seed stay.
Study with_table_settings(const Study& study, std::size_t n_rows);

}   // namespace credence
