// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// The reader of a data set.
enum class CatalogueFormat {
    mnist,      ///< four IDX files: read_mnist_folder
    cifar_10,   ///< CIFAR-10's binary batches in a tar.gz archive: read_cifar10_folder after unpacking
};

/// One file inside a tar archive, identified by its content.
struct ArchivedFile {
    std::string name;   ///< without folders
    std::uint64_t bytes = 0;
    std::string sha256;   ///< may be empty: the archive's hash covers it
    bool operator==(const ArchivedFile&) const = default;
};

/// One file to be downloaded. At least one of the two hashes is known.
struct CatalogueFile {
    std::string name;          ///< relative to each mirror, and in the user's folder
    std::uint64_t bytes = 0;   ///< of the download on one mirror: for progress, not checked
    std::string
        sha256;   ///< of the download, 64 hexadecimal digits, or empty: mirrors may have compressed it differently
    std::uint64_t content_bytes = 0;   ///< size after decompression; 0 if unknown
    std::string content_sha256;        ///< hash after decompression, or empty
    std::vector<ArchivedFile>
        unpacks_to;   ///< for a tar archive: the extracted files; otherwise empty, and the file itself is stored
    bool operator==(const CatalogueFile&) const = default;
};

struct CatalogueEntry {
    std::string id;             ///< "fashion-mnist": on the command line, and the name of the folder
    std::string title, about;   ///< for display
    CatalogueFormat format = CatalogueFormat::mnist;
    std::vector<std::string> classes;
    std::string license, home;
    std::string hash_source;              ///< origin of the hashes
    std::vector<std::string> mirrors;     ///< in the order of use; each ends in /
    std::vector<std::string> installed;   ///< folders used by packages of the distribution
    std::vector<CatalogueFile> files;
    std::uint64_t download_bytes() const;
    bool operator==(const CatalogueEntry&) const = default;
};

/// @param file  name for errors
/// @throws Error "catalogue.json, mnist, file 2: sha256 is “12ab”, expected 64 hexadecimal digits
/// in lower case."
std::vector<CatalogueEntry> parse_catalogue(std::string_view text, const std::string& file);

/// datasets/catalogue.json as of the build, or the file given by the environment variable
/// CREDENCE_CATALOGUE, for tests and
/// private mirrors. @throws Error if that file cannot be read
const std::vector<CatalogueEntry>& catalogue();
/// @throws Error "There is no data set “mnits”, expected one of mnist, fashion-mnist, kmnist,
/// cifar-10."
const CatalogueEntry& catalogue_entry(std::string_view id);

}   // namespace credence
