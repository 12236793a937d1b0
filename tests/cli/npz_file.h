// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "unit/formats/zip_bytes.h"

#include <filesystem>
#include <fstream>
#include <vector>

/// Writes an archive of these members into a file. @return  the file
inline std::filesystem::path writtenArchive(const std::filesystem::path& file, const std::vector<ZipMember>& members)
{
    const Bytes bytes = zip_of(members);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return file;
}
