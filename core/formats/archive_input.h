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

/// libarchive over a source of bytes, which stays as it is: a tar or a zip archive, entry by entry. Memory does not depend on the sizes that an archive claims; what the
/// source throws (also when its reading is stopped) comes out of the call that read.
class ArchiveInput {
public:
    enum class Kind { tar, zip };
    struct Entry {
        std::string name;                     ///< as it stands in the archive
        std::optional<std::uint64_t> bytes;   ///< that it says it has
        bool file      = false;               ///< an ordinary one: no folder, no link, no device
        bool encrypted = false;
    };

    /// Begins at the front. The source must outlive the object.
    ArchiveInput(ByteSource& source, Kind kind);
    ~ArchiveInput();
    ArchiveInput(const ArchiveInput&)            = delete;
    ArchiveInput& operator=(const ArchiveInput&) = delete;

    /// The next entry; empty after the last one. What was not read of the one before is passed over.
    /// @throws Error "a.tar: found a web page (HTML), expected a tar archive." and the like
    std::optional<Entry> next();
    /// Bytes of the entry that `next` named last, up to the size of `out`; fewer only at its end. @throws Error, also where a checksum does not match
    std::size_t read(std::span<std::uint8_t> out);
    /// How the entry that `next` named last is packed: "uncompressed", "deflation"; empty: not said.
    std::string packing() const;

private:
    struct Calls;
    [[noreturn]] void refuse();

    ByteSource& source_;
    Kind kind_;
    archive* archive_;
    bool begun_ = false;   ///< an entry was found: it is an archive of the kind
    std::vector<std::uint8_t> piece_;
    std::uint64_t at_ = 0;
    std::exception_ptr thrown_;
};

}   // namespace credence
