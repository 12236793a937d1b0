// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace credence {

/// What is known of a data set beside its numbers.
struct SetDescription {
    std::string title, about = {};
    std::vector<std::string> classes = {};   ///< empty: unknown
};

/// A way in which data sets of images are kept in files: everything the program knows of it. Each stands in a file of its own, and once in the list, formats/list.cmake.
struct ImageFormat {
    std::string id;      ///< "mnist"
    std::string words;   ///< "files in MNIST's format"
    std::string expected =
        {};   ///< in refusals, of what can be loaded: "an .npz file with x_train, y_train, x_test and y_test"
    std::string imported;   ///< in refusals, of what can be imported: "a folder"

    /// Is it this, or a part of it? By names and first bytes alone.
    std::function<bool(const std::filesystem::path&)> recognises;
    /// Can it be loaded as it stands? Empty: it has to be imported first.
    std::function<bool(const std::filesystem::path&)> complete                         = {};
    std::function<ImageData(const std::filesystem::path&, const SetDescription&)> load = {};
    /// Of an archive: unpacks it into an empty folder, from which it can be loaded. @throws Error that names the archive
    std::function<void(const std::filesystem::path& archive, const std::filesystem::path& folder)> unpack = {};
    bool pictures   = false;   ///< any pictures in folders: they are decoded and scaled, see image_folder.h
    bool catalogued = false;   ///< the catalogue knows the hashes of such files
};

/// All formats, in the order in which a path is tried.
const std::vector<ImageFormat>& image_formats();

/// The format in which the set at `path` can be loaded; null: none.
const ImageFormat* loadable_format(const std::filesystem::path& path);
/// The format of what can be imported from `path`.
/// @throws Error "notes.txt: found the bytes 68 65 6C 6C, expected a folder, an .npz file or CIFAR-10's .tar.gz." or that there is nothing at the path
const ImageFormat& importable_format(const std::filesystem::path& path);
/// What can be loaded, for a refusal: "…, … or …".
std::string loadable_formats();

/// Names of classes that nobody has named: "0", "1", … up to the greatest of these labels.
std::vector<std::string> numbered_classes(std::initializer_list<const NumberArray*> labels);

}   // namespace credence
