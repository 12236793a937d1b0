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
    std::string
        name;   ///< of the set: letters, digits, dots, hyphens and underscores; an id of the catalogue means that very set
    std::filesystem::path path;
    std::string title;   ///< empty: the name
    PictureOptions pictures;
};

/// What the program lends: core has neither hashes nor formats of pictures.
struct ImportTools {
    Sha256 sha256;
    PictureReader pictures;
    std::function<void(std::size_t done, std::size_t all)> progress;   ///< for pictures
};

struct ImportReport {
    std::filesystem::path folder;          ///< where the set is now
    std::string message;                   ///< one sentence
    std::vector<std::string> unreadable;   ///< pictures that were left out, a sentence each
};

/// Can a set of this name be made? @return empty if so, else a sentence. Used for what is typed, too
std::string mistake_in_set_name(const std::string& name);

/// Puts the set into user_data_folder()/name, whole or not at all. Files of a set of the catalogue are checked by their hashes and copied as they are;
/// all others are read, checked and written in MNIST's layout (idx_write.h).
/// @throws Error, also if there is a set of this name already; "Cancelled." after a stop request
ImportReport import_image_set(const ImportOrder& order, const ImportTools& tools, std::stop_token stop);

/// Removes a set from the user's data folder. @throws Error if it is not there or cannot be removed
void remove_image_set(const std::string& name);

}   // namespace credence
