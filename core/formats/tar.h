// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/archive_input.h"
#include "formats/byte_source.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace credence {

/// The ordinary files of a tar archive (ustar, pax or GNU's), one after the other, front to back, by libarchive. Folders, links and devices are passed over.
/// Names that lead out of the archive's folder are refused.
class TarReader {
public:
    struct Entry {
        std::string name;   ///< as it stands, "cifar-10-batches-bin/test_batch.bin"
        std::uint64_t bytes = 0;
    };

    /// The source must outlive the reader.
    explicit TarReader(ByteSource& source) : name_(source.name()), archive_(source, ArchiveInput::Kind::tar) {}

    /// The next file; empty after the last one. What was not read of the one before is passed over. @throws Error as ArchiveInput::next
    std::optional<Entry> next();
    /// Bytes of the file that `next` named last, up to the size of `out`; fewer only at its end.
    std::size_t read(std::span<std::uint8_t> out);

private:
    std::string name_;
    ArchiveInput archive_;
    std::uint64_t left_ = 0;   ///< of the current file
};

/// A file to be taken out of an archive, known by its name without folders.
struct TarMember {
    std::string name;
    std::uint64_t bytes = 0;   ///< that it must have
};

/// Writes the members, and nothing else, into `folder`, each under its name without folders. Ends as soon as all have been found.
/// @throws Error "a.tar.gz: found no test_batch.bin, expected it in the archive." or "…: test_batch.bin has 12 bytes, expected 30730000."; what was
///         written so far stays
void unpack_members(ByteSource& archive, std::span<const TarMember> members, const std::filesystem::path& folder);

}   // namespace credence
