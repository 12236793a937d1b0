// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"
#include "sources/catalogue.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace credence {

// The files of a data set of the catalogue as they lie in a folder, and whether they are what the catalogue says.

/// SHA-256 of all that a source gives, from its beginning: 64 hexadecimal digits in small letters. The program hands it in; core has no hash of its own.
using Sha256 = std::function<std::string(ByteSource&)>;

/// What one file of the catalogue amounts to in a folder: the file itself in any spelling of its name (train-images-idx3-ubyte or
/// train-images.idx3-ubyte, with .gz or without), or all that an archive unpacks to, in the folder or in one below it.
/// @return the paths; empty if one of them is not there
std::vector<std::filesystem::path> kept_files(const CatalogueFile& file, const std::filesystem::path& folder);

/// Are all files there, and those that are not compressed of the right size? Nothing is read: for lists.
bool looks_complete(const CatalogueEntry& entry, const std::filesystem::path& folder);

/// Is the download at `path` what the catalogue says?
/// @return empty if so, else what is wrong with it: "train-images-idx3-ubyte.gz: found a web page (HTML), expected gzip data."
std::string mistake_in_download(const CatalogueFile& file, const std::filesystem::path& path, const Sha256& sha256);

/// The same for what is kept of it in a folder. Missing files are a mistake, too.
std::string mistake_in_folder(const CatalogueFile& file, const std::filesystem::path& folder, const Sha256& sha256);
std::string mistake_in_folder(const CatalogueEntry& entry, const std::filesystem::path& folder,
                              const Sha256& sha256);   ///< the first one

/// Moves a download that has no mistake to where it is kept in `folder`, or unpacks it there and removes it: whole or not at all. The folder exists.
/// @throws Error and leaves no new file behind if something cannot be written or unpacks to something else; the download is gone in any case
void keep_download(const CatalogueFile& file, const std::filesystem::path& download,
                   const std::filesystem::path& folder, const Sha256& sha256);

}   // namespace credence
