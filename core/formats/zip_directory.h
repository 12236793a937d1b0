// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/byte_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace credence {

/// A file of a zip archive that is kept as it is: its bytes can be read from the archive at any place.
struct StoredMember {
    std::string name;           ///< as it stands in the archive
    std::uint64_t first  = 0;   ///< where its bytes begin
    std::uint64_t length = 0;
};

/// Finds the files of an archive that are neither compressed nor encrypted. libarchive reads from front to back and does not say where they lie.
/// Whatever is not as the format says is left out, so that its reader takes the long way; all of `first + length` lie within the archive.
/// Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16, 4.5.3.
/// @param archive  seekable
/// @param size     of it, bytes
std::vector<StoredMember> stored_members(ByteSource& archive, std::uint64_t size);

}   // namespace credence
