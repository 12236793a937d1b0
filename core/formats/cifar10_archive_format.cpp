// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "formats/archives.h"
#include "foundation/files.h"

namespace credence {

namespace {

namespace fs = std::filesystem;

bool is_archive(const fs::path& path)
{
    const std::string name = path.filename().string();
    return is_file(path) && (name.ends_with(".tar.gz") || name.ends_with(".tgz") || name.ends_with(".tar"));
}

void unpack(const fs::path& archive, const fs::path& folder)
{
    std::vector<TarMember> members;
    constexpr std::uint64_t bytes = 10'000 * 3073;
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                             "data_batch_5.bin", "test_batch.bin"})
        members.push_back({name, bytes});
    unpack_members(*open_file(archive), members, folder);
}

}   // namespace

/// CIFAR-10's files as they are downloaded.
ImageFormat cifar10_archive_format()
{
    return {.id         = "cifar10_archive",
            .words      = "an archive of files in CIFAR-10's binary format",
            .imported   = "CIFAR-10's .tar.gz",
            .recognises = is_archive,
            .unpack     = unpack,
            .catalogued = true};
}

}   // namespace credence
