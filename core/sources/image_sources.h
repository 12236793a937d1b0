// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace credence {

// Lists the installed image data sets, and loads one of them by its name.

/// Folders whose subfolders (and .npz files) are data sets: $CREDENCE_DATA_DIR if it is set, the
/// user's data folder, and the folders used by packages of the
/// distribution for catalogue sets. A set that exists in several is taken from the first.
std::vector<std::filesystem::path> data_folders();
/// Folder for downloads and imports: $XDG_DATA_HOME/credence/datasets, by default
/// ~/.local/share/credence/datasets. It need not exist.
std::filesystem::path user_data_folder();

struct ImageSource {
    std::string id;   ///< name of the folder, "mnist"; "stroke-digits" and "stroke-letters" are drawn by Credence
    std::string title, about;       ///< for display
    std::filesystem::path folder;   ///< the folder or .npz file; empty if Credence draws the images
    bool catalogued                           = false;   ///< listed in the catalogue
    bool operator==(const ImageSource&) const = default;
};

/// The two sets that Credence generates itself, then the sets in data_folders(), by id. Reads only
/// file names.
std::vector<ImageSource> available_image_sources();
/// The set with this id, if it is installed.
std::optional<ImageSource> find_image_source(const std::string& id);

/// True if a setting is a path rather than an id: it contains / or ends in .npz.
bool names_a_path(const std::string& id_or_path);

/// A set by its id, or by a path: a folder with the files of MNIST's layout, one with CIFAR-10's
/// binary files, GTSRB's folder, or an .npz file with x_train, y_train, x_test and y_test. A folder
/// can have a dataset.json, {"title": …, "about": …, "license": …, "classes": […]}; otherwise
/// classes are those of the catalogue, or the numbers from 0 to the largest label. A folder in
/// MNIST's layout without training images gives an empty training part.
/// @throws Error (field "data.set") with how to get a missing set, or with the error of the wrong
/// file
ImageData load_image_data(const std::string& id_or_path);
/// Refuses a missing set with the same errors, without reading its images.
void require_image_set(const std::string& id_or_path);

}   // namespace credence
