// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace credence {

/// The settings that tell the size of a run; an entry's preset or sweep is compared with them.
inline constexpr const char* recorded_settings[] = {"training.steps", "prediction.samples"};

/// Returns the provenance of finished runs in the form of `ours` in resources/gallery.json, from
/// their own files: seeds, date, commit, Study hashes and recorded_settings that all runs share.
/// @param folders  with study.json, results.json and times.json each
/// @param processor_seconds  of all these runs; empty: the wall times of their training are stated
/// @throws Error that names the file; also if `folders` is empty
OurRuns recorded_runs(const std::vector<std::filesystem::path>& folders, std::optional<double> processor_seconds = {});

/// Returns the object of an entry to copy into resources/gallery.json: `ours`, and for each value
/// its name and the result of these runs.
/// @param measured  one text per value of the entry; empty: no result
std::string recorded_text(const GalleryEntry& entry, const OurRuns& runs, const std::vector<std::string>& measured);

/// Returns the folders of those cells of a sweep that the entry's values name (all cells if they
/// name none), without cells that are not done.
std::vector<std::filesystem::path> folders_of(const GalleryEntry& entry, const SweepResults& results,
                                              const SweepFolder& folder);

}   // namespace credence
