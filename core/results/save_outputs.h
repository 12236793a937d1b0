// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <filesystem>
#include <stop_token>

namespace credence {

/// @throws Error for regression runs: the format is for classification only
void require_saveable_outputs(const Experiment& experiment);

/// Writes the outputs of all samples of a run for its test rows (for its training rows if there is
/// no test set), for use in a notebook: an .npz file with
/// probabilities [S × N × K] as float32, their logits, labels [N], class_names [K], and images [N ×
/// H × W (× 3)] as bytes or inputs [N × d] in original units; provenance [1], JSON of the program
/// and the hashes of Study and data. open_outputs
/// can open it. For chains also chain [S] (from 0) and iteration [S] as integers, and the draws are
/// sorted by them, so that R̂ and ESS can be computed from
/// the file. The scores of the file are those of the run: bit for bit, for chains up to the order
/// of sums. Memory use does not depend on S × N × K.
/// @return false if `stop` was requested: then nothing is written
/// @throws Error  for regression runs, and if the file cannot be written
bool save_outputs(const RunSnapshot& run, const std::filesystem::path& file, std::stop_token stop = {});

/// Writes mean [P] and sd [P] of the weights as float32, with block_names and block_begins of the
/// layout and provenance as above, into an .npz file.
/// @throws Error  for imported predictions, whose weights are not available, and if the file cannot
/// be written
void save_weights(const RunSnapshot& run, const std::filesystem::path& file);

}   // namespace credence
