// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/decision_map.h"
#include "study/study.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace credence {

/// One figure of one run, small enough for a slide: what to train or which file to read, and what
/// to show. Empty fields leave the window unchanged.
struct PictureLink {
    std::optional<Study> study;       ///< trained if there is no run
    std::filesystem::path run;        ///< run.credence, or imported predictions; absolute; empty: the Study is trained
    std::string view;                 ///< id; empty: the prediction figure
    std::optional<long> step;         ///< the nearest recorded step is used; empty: the last
    bool pause = false;               ///< the step is between two recorded ones: training pauses there
    std::vector<double> input;        ///< the selected input in the units of the data; empty: row `row`
    std::optional<std::size_t> row;   ///< of the test set, or of the training set if there is none
    std::optional<MapQuantity> quantity;   ///< of the decision map; empty: unchanged
    int map_class = 1;                     ///< for class_probability
};

/// Suffix of link files.
inline constexpr auto picture_link_suffix = ".credence-link";

/// JSON: {"credence_link": 1, "view": …, "step": …, "pause": true, "input": […] or "row": …,
/// "quantity": …, "class": …, "run": …, "study": {…}}; every key may be missing, but not both of
/// run and study.
/// @param folder  of the file; the path of the run is written relative to it
std::string to_text(const PictureLink& link, const std::filesystem::path& folder);
/// @param origin  name of the file, for errors
/// @throws Error  "two.credence-link: step is “-1”, expected a whole number from 0."
PictureLink picture_link_from_text(const std::string& text, const std::string& origin,
                                   const std::filesystem::path& folder);

/// True if this JSON file is a link and not a Study; false if it cannot be read.
bool is_picture_link(const std::filesystem::path& file);
/// Uses the link's Study if its run does not exist. @throws Error that names the file, and the run
/// if there is no Study either
PictureLink load_picture_link(const std::filesystem::path& file);
void save_picture_link(const PictureLink& link, const std::filesystem::path& file);   ///< atomically

/// Index of the recorded step that a link refers to: the nearest, the earlier of two. @pre steps
/// are not empty and ascending
std::size_t nearest_step(const std::vector<long>& steps, std::optional<long> wanted);

}   // namespace credence
