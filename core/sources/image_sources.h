// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace credence {

// Which data sets of images can be used right now, and loading one of them by its name.

/// Folders whose subfolders (and .npz files) are data sets: $CREDENCE_DATA_DIR if it is set, the user's data folder, and where packages of the
/// distribution put what the catalogue knows. A set that is in several is taken from the first.
std::vector<std::filesystem::path> data_folders();
/// Where downloads and imports go: $XDG_DATA_HOME/credence/datasets, by default ~/.local/share/credence/datasets. It need not exist.
std::filesystem::path user_data_folder();

struct ImageSource {
    std::string id;   ///< name of the folder, "mnist"; "stroke-digits" and "stroke-letters" are drawn by the program
    std::string title, about;       ///< for people
    std::filesystem::path folder;   ///< the folder or .npz file; empty if the program draws the images
    bool catalogued                           = false;   ///< the catalogue knows it
    bool operator==(const ImageSource&) const = default;
};

/// The two that the program draws, then the sets of data_folders() by id. Only names of files are looked at.
std::vector<ImageSource> image_sources_at_hand();
/// The one of this id, if it is at hand.
std::optional<ImageSource> find_image_source(const std::string& id);

/// Whether a setting names a place rather than an id: it has a / in it or ends in .npz.
bool names_a_path(const std::string& id_or_path);

/// A set by its id, or by a path: a folder with the files of MNIST's layout, one with CIFAR-10's binary files, GTSRB's folder, or an .npz file with x_train, y_train,
/// x_test and y_test. A folder may have a dataset.json, {"title": …, "about": …, "license": …, "classes": […]}; else classes are those of the
/// catalogue, else the numbers from 0 to the greatest label. A folder of MNIST's layout without training images gives an empty training part.
/// @throws Error (field "data.set") that says how to get what is missing, or the sentence of the file that is wrong
ImageData load_image_data(const std::string& id_or_path);

}   // namespace credence
