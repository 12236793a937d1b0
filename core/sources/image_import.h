// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/image_folder.h"
#include "formats/image_format.h"
#include "sources/catalogue_files.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

struct ImportOrder {
    /// Of the set: letters, digits, dots, hyphens and underscores; an id of the catalogue refers to
    /// that set
    std::string name;
    std::filesystem::path path;
    std::string title;   ///< empty: the name
    PictureOptions pictures;
};

/// Functions provided by the application, since core has neither SHA-256 nor picture formats.
struct ImportTools {
    Sha256 sha256;
    PictureReader pictures;
    std::function<void(std::size_t done, std::size_t all)> progress;   ///< progress for picture files
};

struct ImportReport {
    std::filesystem::path folder;          ///< folder of the imported set
    std::string message;                   ///< one sentence
    std::vector<std::string> unreadable;   ///< skipped pictures, one sentence each
};

/// Checks whether a set can have this name. @return empty if so, otherwise the problem. Also used
/// while the user types
std::string mistake_in_set_name(const std::string& name);

/// Imports the set into user_data_folder()/name, atomically. Files of a catalogue set are verified
/// by their hashes and copied unchanged;
/// all others are read, checked and written in MNIST's layout (formats/idx.h).
/// @throws Error, also if a set with this name exists; "Cancelled." after a stop request
ImportReport import_image_set(const ImportOrder& order, const ImportTools& tools, std::stop_token stop);

/// Removes a set from the user's data folder. @throws Error if it does not exist or cannot be removed
void remove_image_set(const std::string& name);

}   // namespace credence
