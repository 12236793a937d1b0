// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

namespace credence {

/// Returns initial settings for a table of this size: one hidden layer of 50 units, learning rate
/// 0.003 with cosine decay to 0, and the steps of 60 epochs of minibatches of 100, at least 3000
/// and at most 30,000. Posterior, prior, split and seed stay.
Study with_table_settings(const Study& study, std::size_t n_rows);

}   // namespace credence
