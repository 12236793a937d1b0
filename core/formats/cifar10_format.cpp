// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "formats/cifar.h"
#include "formats/paths.h"

namespace credence {

namespace {

namespace fs = std::filesystem;

bool has_test_batch(const fs::path& folder)
{
    return is_folder(folder)
           && (is_file(folder / "test_batch.bin") || is_file(folder / "cifar-10-batches-bin" / "test_batch.bin"));
}

ImageData load_cifar10(const fs::path& folder, const SetDescription& about)
{
    ImageData data     = read_cifar10_folder(folder);
    data.training.name = data.test.name = about.title;
    return data;
}

}   // namespace

/// Six binary files of 10,000 records.
ImageFormat cifar10_format()
{
    return {.id         = "cifar10",
            .words      = "files in CIFAR-10's binary format",
            .expected   = "CIFAR-10's data_batch_1.bin and so on",
            .imported   = "a folder",
            .recognises = has_test_batch,
            .complete   = has_test_batch,
            .load       = load_cifar10,
            .catalogued = true};
}

}   // namespace credence
