// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/row_outputs.h"
#include "runs/outputs_at_hand.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace credence {

/// A file of outputs that is open: what the rows are, and how their outputs are read.
struct OutputsFile {
    std::shared_ptr<const RowOutputs> rows;
    OutputsAtHand::Part part;
    std::string numbers;   ///< "probabilities", "logits", "Gaussians over logits"
};

/// Opens outputs of N inputs that were made elsewhere and saved with NumPy, in one .npz file (stored or compressed) or as .npy files in one folder:
///
///     probabilities or logits [S × N × K] (logits where there are both), or mean [N × K] with variance [N × K] or covariance [N × K × K] of the logits (from which 200 draws are made),
///     labels [N], class_names [K], images [N × H × W], [N × H × W × C] or [N × C × H × W], inputs [N × d]: all optional
///
/// Draws: see outputs/draws_array.h; mean and variance: see outputs/logits_file.h. Images are bytes, or numbers of any other type: from 0 to 1 they are multiplied
/// by 255, from 0 to 255 they are rounded, else they are stretched from the least to the greatest of the file.
/// How much of the draws is read is told by tell_share.
/// @return empty if `stop` was requested
/// @throws Error for what does not fit, with a sentence that names the file
std::optional<OutputsFile> open_outputs(const std::filesystem::path& file, std::stop_token stop = {});
/// The array of a folder that outputs are opened by: probabilities.npy, logits.npy or mean.npy; nothing where it has none of them, or is no folder.
std::optional<std::filesystem::path> outputs_in_folder(const std::filesystem::path& folder);
/// Tells whether a file holds Gaussians over logits and nothing that a picture of the rows could be made of (no draws, images or inputs): a file for *Open logits*.
/// @throws Error for what cannot be opened
bool is_logits_file(const std::filesystem::path& file);
/// The bytes of an .npz file; they must outlive the object.
OutputsFile open_outputs(std::string name, std::span<const std::uint8_t> npz);

}   // namespace credence
