// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"

#include <cstdint>
#include <exception>
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

}   // namespace credence
