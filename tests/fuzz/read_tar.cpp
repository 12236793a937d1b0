// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/archives.h"
#include "fuzz/reader.h"

#include <array>

namespace credence::fuzz {

/// Any bytes as a tar archive, plain or gzip: names stay inside, no file gives more bytes than it
/// announces, and two members are unpacked to a folder in memory completely or not at all.
bool read_tar(Bytes input)
{
    const auto folder = memory_folder() / "unpacked";
    std::filesystem::create_directories(folder);
    const bool accepted                        = attempt([&] {
        const auto source = open_memory("a.tar", input);
        TarReader tar(*source);
        std::array<std::uint8_t, 100> piece;
        for (int i = 0; i < 100; ++i) {
            const auto entry = tar.next();
            if (!entry)
                break;
            holds(!entry->name.starts_with('/') && ("/" + entry->name + "/").find("/../") == std::string::npos,
                                         "names stay inside the archive");
            std::uint64_t read = 0;
            for (std::size_t got = 1; got > 0 && read < 1000; read += got)
                got = tar.read(piece);   // some files are only partly read
            holds(read <= entry->bytes, "no file gives more bytes than it announces");
        }
    });
    constexpr std::array<const char*, 2> names = {"test_batch.bin", "b"};
    attempt([&] {
        unpack_members(*open_memory("a.tar", input),
                       std::array<TarMember, 2>{TarMember{names[0], 12}, TarMember{names[1], 0}}, folder);
        holds(std::filesystem::file_size(folder / names[0]) == 12 && std::filesystem::file_size(folder / names[1]) == 0,
              "members are unpacked whole");
    });
    for (const char* name : names) {
        std::error_code ignored;
        std::filesystem::remove(folder / name, ignored);
    }
    holds(std::filesystem::is_empty(folder), "nothing else is unpacked");
    return accepted;
}

}   // namespace credence::fuzz
