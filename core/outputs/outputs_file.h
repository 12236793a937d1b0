// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/outputs_posterior.h"
#include "runs/experiment.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace credence {

/// An open file of outputs: its rows, and access to their outputs.
struct OutputsFile {
    std::shared_ptr<const RowOutputs> rows;
    OutputsAtHand::Part part;
    std::string numbers;   ///< "probabilities", "logits", "Gaussians over logits"
};

/// Opens predictions for N inputs made by other software and saved with NumPy, in one .npz file
/// (stored or compressed) or as .npy files in one folder:
///
///     probabilities or logits [S × N × K] (logits if both exist),
///     or mean [N × K] with variance [N × K] or covariance [N × K × K] of the logits, from which
///     200 samples are drawn;
///     labels [N], class_names [K], images [N × H × W], [N × H × W × C] or [N × C × H × W],
///     inputs [N × d]: all optional
///
/// Samples: see outputs/rows_of_file.h; mean and variance: see outputs/logits_file.h. Images are
/// bytes, or numbers of any other type: from 0 to 1 they are multiplied by 255, from 0 to 255 they
/// are rounded, otherwise they are scaled from the smallest to the largest value of the file.
/// Progress of reading is reported by report_share.
/// @return empty if `stop` was requested
/// @throws Error for any mismatch, with the name of the file
std::optional<OutputsFile> open_outputs(const std::filesystem::path& file, std::stop_token stop = {});
/// Returns the array file by which outputs in a folder are opened: probabilities.npy, logits.npy or
/// mean.npy; empty if there is none, or it is not a folder.
std::optional<std::filesystem::path> outputs_in_folder(const std::filesystem::path& folder);
/// Returns true if a file has only Gaussians over logits and nothing else to show (no samples,
/// images or inputs): a file for *Open logits*.
/// @throws Error if it cannot be opened
bool is_logits_file(const std::filesystem::path& file);
/// The bytes of an .npz file; they must outlive the object.
OutputsFile open_outputs(std::string name, std::span<const std::uint8_t> npz);

/// Turns opened outputs into a recorded step that views can use; its inputs are row numbers. Views
/// that need only outputs at rows (Asks in
/// views/views.h) work as for Credence runs; all others report that they need the weights.
/// @param ood  the rows of a second file as OOD data
/// @throws Error   if the two differ in their classes or in the number of samples
RunSnapshot snapshot_of_outputs(const OutputsFile& own, const std::optional<OutputsFile>& ood = {});

}   // namespace credence
