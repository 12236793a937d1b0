// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/catalogue.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace credence {

struct ImageCounts {
    std::uint64_t training = 0, test = 0;
    bool operator==(const ImageCounts&) const = default;
};

/// From the sizes in the catalogue. Empty if it has none.
std::optional<ImageCounts> image_counts(const CatalogueEntry& entry);
/// From the headers of the label files or the sizes of CIFAR-10's files in a folder, without
/// reading more. Empty without such files.
std::optional<ImageCounts> image_counts(const std::filesystem::path& folder);

}   // namespace credence
