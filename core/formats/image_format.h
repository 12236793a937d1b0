// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace credence {

/// Metadata of a data set.
struct SetDescription {
    std::string title, about = {};
    std::vector<std::string> classes = {};   ///< empty: unknown
};

/// A file format for image data sets, with everything the program knows about it. Each has its own
/// file and one line in formats/list.cmake.
struct ImageFormat {
    std::string id;              ///< "mnist"
    std::string words;           ///< "files in MNIST's format"
    std::string expected = {};   ///< in error messages about loading: "an .npz file with x_train, y_train, x_test and
                                 ///< y_test"
    std::string imported;        ///< in error messages about importing: "a folder"

    /// Returns true if the path is this format or a part of it, by names and first bytes only.
    std::function<bool(const std::filesystem::path&)> recognises;
    /// Returns true if it can be loaded as it is. Empty: it has to be imported first.
    std::function<bool(const std::filesystem::path&)> complete                         = {};
    std::function<ImageData(const std::filesystem::path&, const SetDescription&)> load = {};
    /// For an archive: unpacks it into an empty folder that can be loaded. @throws Error that names
    /// the archive
    std::function<void(const std::filesystem::path& archive, const std::filesystem::path& folder)> unpack = {};
    bool pictures = false;     ///< arbitrary pictures in folders: they are decoded and scaled, see
                               ///< image_folder.h
    bool catalogued = false;   ///< the catalogue has hashes of such files
};

/// All formats, in the order in which a path is tried.
const std::vector<ImageFormat>& image_formats();

/// The format of a set at `path` that can be loaded; null: none.
const ImageFormat* loadable_format(const std::filesystem::path& path);
/// The format of a set at `path` that can be imported.
/// @throws Error "notes.txt: found the bytes 68 65 6C 6C, expected a folder, an .npz file or
/// CIFAR-10's .tar.gz." or that the path does not exist
const ImageFormat& importable_format(const std::filesystem::path& path);
/// What can be loaded, for an error message: "…, … or …".
std::string loadable_formats();

/// Names for unnamed classes: "0", "1", … up to the largest of these labels.
std::vector<std::string> numbered_classes(std::initializer_list<const NumberArray*> labels);

}   // namespace credence
