// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/image_counts.h"

#include "formats/byte_source.h"
#include "formats/idx.h"
#include "foundation/error.h"

#include <array>

namespace credence {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t label_header = 8, cifar_record = 3073;

/// The count in the header of an IDX label file; 0 for anything else.
std::uint64_t announced(const std::optional<fs::path>& labels)
{
    if (!labels)
        return 0;
    std::array<std::uint8_t, label_header> head{};
    try {
        if (open_file(*labels)->read(head) < head.size() || head[2] != 8 || head[3] != 1)
            return 0;
    } catch (const Error&) {
        return 0;
    }
    return std::uint64_t{head[4]} << 24 | std::uint64_t{head[5]} << 16 | std::uint64_t{head[6]} << 8 | head[7];
}

}   // namespace

std::optional<ImageCounts> image_counts(const CatalogueEntry& entry)
{
    ImageCounts counts;
    for (const CatalogueFile& file : entry.files) {
        const bool labels = file.name.find("labels") != std::string::npos;
        if (labels && file.content_bytes > label_header)
            (file.name.starts_with("t10k") ? counts.test : counts.training) += file.content_bytes - label_header;
        for (const ArchivedFile& one : file.unpacks_to)
            (one.name.starts_with("test") ? counts.test : counts.training) += one.bytes / cifar_record;
    }
    return counts == ImageCounts{} ? std::nullopt : std::optional(counts);
}

std::optional<ImageCounts> image_counts(const fs::path& folder)
{
    const MnistFiles files = mnist_files(folder);
    ImageCounts counts{announced(files.training_labels), announced(files.test_labels)};
    for (const fs::path& place : {folder, folder / "cifar-10-batches-bin"})
        for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                                 "data_batch_5.bin", "test_batch.bin"}) {
            std::error_code error;
            const auto bytes = fs::file_size(place / name, error);
            if (!error)
                (name[0] == 't' ? counts.test : counts.training) += bytes / cifar_record;
        }
    return counts == ImageCounts{} ? std::nullopt : std::optional(counts);
}

}   // namespace credence
