// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Which reader a data set wants.
enum class CatalogueFormat {
    mnist,      ///< four IDX files: read_mnist_folder
    cifar_10,   ///< CIFAR-10's binary batches in a tar.gz archive: read_cifar10_folder after unpacking
};

/// One file inside a tar archive, of which nothing but its content is known.
struct ArchivedFile {
    std::string name;   ///< without the folders that it stands in
    std::uint64_t bytes = 0;
    std::string sha256;   ///< or empty: the hash of the archive vouches for it
    bool operator==(const ArchivedFile&) const = default;
};

/// One file to be downloaded. At least one of the two hashes is known.
struct CatalogueFile {
    std::string name;          ///< below each mirror, and in the user's folder
    std::uint64_t bytes = 0;   ///< of the download as one mirror has it: for progress, not a check
    std::string
        sha256;   ///< of the download, 64 hexadecimal digits, or empty: then mirrors may have compressed it differently
    std::uint64_t content_bytes = 0;   ///< of what comes out of the .gz; 0 if unknown
    std::string content_sha256;        ///< of what comes out of the .gz, or empty
    std::vector<ArchivedFile>
        unpacks_to;   ///< if it is a tar archive: what is kept of it; else empty, and the file itself is kept
    bool operator==(const CatalogueFile&) const = default;
};

struct CatalogueEntry {
    std::string id;             ///< "fashion-mnist": on the command line, and the name of the folder
    std::string title, about;   ///< for people
    CatalogueFormat format = CatalogueFormat::mnist;
    std::vector<std::string> classes;
    std::string license, home;
    std::string hash_source;              ///< where the hashes are from
    std::vector<std::string> mirrors;     ///< in the order in which they are tried; each ends in /
    std::vector<std::string> installed;   ///< folders where a package of the distribution puts the files
    std::vector<CatalogueFile> files;
    std::uint64_t download_bytes() const;
    bool operator==(const CatalogueEntry&) const = default;
};

/// @param file  for sentences
/// @throws Error "catalogue.json, mnist, file 2: sha256 is “12ab”, expected 64 hexadecimal digits in small letters."
std::vector<CatalogueEntry> parse_catalogue(std::string_view text, const std::string& file);

/// datasets/catalogue.json as it was when the program was built; or the file that the environment variable CREDENCE_CATALOGUE names, for tests and for
/// mirrors of one's own. @throws Error if that one cannot be read
const std::vector<CatalogueEntry>& catalogue();
/// @throws Error "There is no data set “mnits”, expected one of mnist, fashion-mnist, kmnist, cifar-10."
const CatalogueEntry& catalogue_entry(const std::string& id);

}   // namespace credence
