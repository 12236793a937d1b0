// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/decision_map.h"
#include "study/study.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace credence {

/// One picture of one run, small enough for a slide: what to train or which file to read, and where to look. What is empty stays as the window has it.
struct PictureLink {
    std::optional<Study> study;   ///< it is trained where there is no run
    std::filesystem::path run;    ///< run.credence, or outputs from elsewhere; absolute; empty: the Study is trained
    std::string view;             ///< id; empty: the picture of the predictions
    std::optional<long> step;     ///< the recorded step nearest to it; empty: the last
    bool pause = false;           ///< the step is between two recorded ones: the training of the Study pauses at it
    std::vector<double> input;    ///< the chosen input in the units of the data; empty: row `row`
    std::optional<std::size_t> row;        ///< of the test set, or of the training set where there is none
    std::optional<MapQuantity> quantity;   ///< of the decision map; empty: as the window has it
    int map_class = 1;                     ///< of class_probability
};

/// The name that files of links end with.
inline constexpr auto picture_link_suffix = ".credence-link";

/// JSON: {"credence_link": 1, "view": …, "step": …, "pause": true, "input": […] or "row": …, "quantity": …, "class": …, "run": …, "study": {…}}; every key may be missing, but not both of run and study.
/// @param folder  of the file; the path of the run is written relative to it
std::string to_text(const PictureLink& link, const std::filesystem::path& folder);
/// @param origin  name of the file, begins the sentence of a mistake
/// @throws Error  "two.credence-link: step is “-1”, expected a whole number from 0."
PictureLink picture_link_from_text(const std::string& text, const std::string& origin,
                                   const std::filesystem::path& folder);

/// Is this file in JSON a link and not a Study? What cannot be read is none.
bool is_picture_link(const std::filesystem::path& file);
/// Where the run that a link names is not there, its Study stands for it. @throws Error that names the file, and the run if there is no Study either
PictureLink load_picture_link(const std::filesystem::path& file);
void save_picture_link(const PictureLink& link, const std::filesystem::path& file);   ///< whole or not at all

/// Which of the recorded steps a link means: the nearest, of two the earlier one. @pre steps are not empty and rise
std::size_t nearest_step(const std::vector<long>& steps, std::optional<long> wanted);

}   // namespace credence
