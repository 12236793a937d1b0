// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/archive_input.h"
#include "formats/byte_source.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace credence {

/// The regular files of a tar archive (ustar, pax or GNU), in sequence, by libarchive. Folders,
/// links and devices are skipped.
/// Names that lead out of the archive's folder are errors.
class TarReader {
public:
    struct Entry {
        std::string name;   ///< with folders, "cifar-10-batches-bin/test_batch.bin"
        std::uint64_t bytes = 0;
    };

    /// The source must outlive the reader.
    explicit TarReader(ByteSource& source) : name_(source.name()), archive_(source, ArchiveInput::Kind::tar) {}

    /// The next file; empty after the last one. Unread bytes of the previous file are skipped.
    /// @throws Error as ArchiveInput::next
    std::optional<Entry> next();
    /// Bytes of the current file, up to the size of `out`; fewer only at its end.
    std::size_t read(std::span<std::uint8_t> out);

private:
    std::string name_;
    ArchiveInput archive_;
    std::uint64_t left_ = 0;   ///< of the current file
};

/// A file to extract from an archive, identified by its name without folders.
struct TarMember {
    std::string name;
    std::uint64_t bytes = 0;   ///< required size
};

/// Writes only the members into `folder`, each under its name without folders. Ends as soon as all
/// have been found.
/// @throws Error "a.tar.gz: found no test_batch.bin, expected it in the archive." or "…:
/// test_batch.bin has 12 bytes, expected 30730000."; files written so far remain
void unpack_members(ByteSource& archive, std::span<const TarMember> members, const std::filesystem::path& folder);

}   // namespace credence
