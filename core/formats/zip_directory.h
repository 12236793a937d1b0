// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace credence {

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
