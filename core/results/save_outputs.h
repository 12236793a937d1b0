// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <filesystem>
#include <stop_token>

namespace credence {

/// @throws Error for runs that predict a number: the format is one of classes
void require_saveable_outputs(const Experiment& experiment);

/// Writes what the draws of a run say of its test rows (of its training rows where there is no test set), so that a notebook goes on there: an .npz file with
/// probabilities [S × N × K] as float32, the logits that they are made of, labels [N], class_names [K], and images [N × H × W (× 3)] as bytes or inputs [N × d] in original units; provenance [1], JSON of the program and the hashes of Study and data. What
/// open_outputs opens. Of chains also chain [S] (from 0) and iteration [S] as integers, and the draws are sorted by them, so that R̂ and ESS can be computed from
/// the file. The scores of the file are those of the run: bit for bit, but of chains up to the order of sums. Memory does not depend on S × N × K.
/// @return false if `stop` was requested: then nothing is written
/// @throws Error  for runs that predict a number, and if the file cannot be written
bool save_outputs(const RunMoment& moment, const std::filesystem::path& file, std::stop_token stop = {});

/// Writes mean [P] and sd [P] of the weights as float32, with block_names and block_begins of the layout and provenance as above, into an .npz file.
/// @throws Error  for outputs from elsewhere, whose weights nobody knows, and if the file cannot be written
void save_weights(const RunMoment& moment, const std::filesystem::path& file);

}   // namespace credence
