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

/// By the sizes that the catalogue states. Empty if it states none.
std::optional<ImageCounts> image_counts(const CatalogueEntry& entry);
/// By the headers of the label files or the sizes of CIFAR-10's files in a folder, without reading more. Empty if it has none of them.
std::optional<ImageCounts> image_counts(const std::filesystem::path& folder);

}   // namespace credence
