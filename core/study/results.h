// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/archive.h"
#include "study/views.h"

namespace credence {

/// Scores of a run on its test set (training set where there is no test set): name, value, unit.
Table scores(const RunMoment& moment, std::stop_token stop = {});

/// What `credence run` leaves behind, without its figures: study.json, results.json, run.credence, data/*.csv.
void write_results(const KeptRun& run, const RunMoment& end, const std::filesystem::path& folder);

}  // namespace credence
