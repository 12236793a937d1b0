// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct archive;
struct archive_entry;

namespace credence {

/// libarchive over a borrowed source of bytes: a tar or zip archive, entry by entry. Memory use
/// does not depend on the sizes that an archive claims. Exceptions of the source (also when reading
/// is stopped) are rethrown by the call that read.
class ArchiveInput {
public:
    enum class Kind { tar, zip };
    struct Entry {
        std::string name;                     ///< as given in the archive
        std::optional<std::uint64_t> bytes;   ///< the size that it claims
        bool file      = false;               ///< a regular file: no folder, link or device
        bool encrypted = false;
    };

    /// Starts at the front. The source must outlive the object.
    ArchiveInput(ByteSource& source, Kind kind);
    ~ArchiveInput();
    ArchiveInput(const ArchiveInput&)            = delete;
    ArchiveInput& operator=(const ArchiveInput&) = delete;

    /// The next entry; empty after the last one. Unread bytes of the previous entry are skipped.
    /// @throws Error "a.tar: found a web page (HTML), expected a tar archive." and the like
    std::optional<Entry> next();
    /// Bytes of the current entry, up to the size of `out`; fewer only at its end. @throws Error,
    /// also on a checksum mismatch
    std::size_t read(std::span<std::uint8_t> out);
    /// The compression of the current entry: "uncompressed", "deflation"; empty: unknown.
    std::string packing() const;

private:
    struct Calls;
    [[noreturn]] void refuse();

    ByteSource& source_;
    Kind kind_;
    archive* archive_;
    bool begun_ = false;   ///< an entry was found, so it is an archive of this kind
    std::vector<std::uint8_t> piece_;
    std::uint64_t at_ = 0;
    std::exception_ptr thrown_;
};

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

/// An uncompressed file in a zip archive: its bytes can be read from the archive at any position.
struct StoredMember {
    std::string name;           ///< as given in the archive
    std::uint64_t first  = 0;   ///< start of its bytes
    std::uint64_t length = 0;
};

/// Finds the files of an archive that are neither compressed nor encrypted. libarchive reads from
/// front to back and does not report positions. Entries that deviate from the format are left out,
/// so that they are read through libarchive; all of `first + length` is within the archive.
/// Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16, 4.5.3.
/// @param archive  seekable
/// @param size     of the archive, bytes
std::vector<StoredMember> stored_members(ByteSource& archive, std::uint64_t size);

}   // namespace credence
