// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"
#include "sources/catalogue.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace credence {

// The files of a catalogue data set in a folder, and their verification against the catalogue.

/// SHA-256 of all bytes of a source: 64 hexadecimal digits in lower case. Provided by the
/// application, since core has no SHA-256.
using Sha256 = std::function<std::string(ByteSource&)>;

/// Returns the stored files of one catalogue file in a folder: the file itself in any spelling of
/// its name (train-images-idx3-ubyte or
/// train-images.idx3-ubyte, with .gz or without), or all files that an archive unpacks to, in the
/// folder or in one below it.
/// @return the paths; empty if one of them is missing
std::vector<std::filesystem::path> kept_files(const CatalogueFile& file, const std::filesystem::path& folder);

/// True if all files exist and the uncompressed ones have the right size. Reads nothing; for lists.
bool looks_complete(const CatalogueEntry& entry, const std::filesystem::path& folder);

/// Verifies the download at `path` against the catalogue.
/// @return empty if correct, otherwise the problem: "train-images-idx3-ubyte.gz: found a web page
/// (HTML), expected gzip data."
std::string mistake_in_download(const CatalogueFile& file, const std::filesystem::path& path, const Sha256& sha256);

/// The same for the stored files in a folder. Missing files are an error as well.
std::string mistake_in_folder(const CatalogueFile& file, const std::filesystem::path& folder, const Sha256& sha256);
std::string mistake_in_folder(const CatalogueEntry& entry, const std::filesystem::path& folder,
                              const Sha256& sha256);   ///< returns the first problem

/// Moves a verified download into the existing `folder`, or unpacks it there and removes it,
/// atomically.
/// @throws Error and leaves no new file if something cannot be written or unpacks to something
/// else; the download is removed in any case
void keep_download(const CatalogueFile& file, const std::filesystem::path& download,
                   const std::filesystem::path& folder, const Sha256& sha256);

struct ImageCounts {
    std::uint64_t training = 0, test = 0;
    bool operator==(const ImageCounts&) const = default;
};

/// From the sizes in the catalogue. Empty if it has none.
std::optional<ImageCounts> image_counts(const CatalogueEntry& entry);
/// From the headers of the label files or the sizes of CIFAR-10's files in a folder, without
/// reading more. Empty without such files.
std::optional<ImageCounts> image_counts(const std::filesystem::path& folder);

}   // namespace credence
