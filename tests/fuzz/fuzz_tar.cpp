// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tar.h"
#include "foundation/error.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace credence;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Changes that leave the checksums of headers right: else hardly any input would come past them.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    for (std::size_t at = 0; seed % 8 != 0 && at + 512 <= size; at += 512) {
        std::uint8_t* const header = data + at;
        if (std::memcmp(header + 257, "ustar", 5) != 0)
            continue;
        std::memset(header + 148, ' ', 8);
        unsigned sum = 0;
        for (std::size_t i = 0; i < 512; ++i)
            sum += header[i];
        for (std::size_t digit = 0; digit < 6; ++digit)
            header[148 + digit] = static_cast<std::uint8_t>('0' + (sum >> (15 - 3 * digit)) % 8);
    }
    return size;
}

/// Any bytes as a tar archive, plain or gzip: names stay inside, no file gives more bytes than it announces, and two members are unpacked to a folder in
/// memory whole or not at all.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const std::filesystem::path folder = "/dev/shm/credence_fuzz_tar_" + std::to_string(::getpid());
    static const bool made                    = std::filesystem::create_directories(folder);
    if (!made)
        std::abort();
    [[maybe_unused]] static const int tidied = std::atexit([] {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    });
    const std::span bytes(data, size);
    try {
        const auto source = open_memory("a.tar", bytes);
        TarReader tar(*source);
        std::array<std::uint8_t, 100> piece;
        for (int i = 0; i < 100; ++i) {
            const auto entry = tar.next();
            if (!entry)
                break;
            if (entry->name.starts_with('/') || ("/" + entry->name + "/").find("/../") != std::string::npos)
                std::abort();
            std::uint64_t read = 0;
            for (std::size_t got = 1; got > 0 && read < 1000; read += got)
                got = tar.read(piece);   // some files are left half read
            if (read > entry->bytes)
                std::abort();
        }
    } catch (const Error&) {}
    constexpr std::array<const char*, 2> names = {"test_batch.bin", "b"};
    try {
        unpack_members(*open_memory("a.tar", bytes),
                       std::array<TarMember, 2>{TarMember{names[0], 12}, TarMember{names[1], 0}}, folder);
        if (std::filesystem::file_size(folder / names[0]) != 12 || std::filesystem::file_size(folder / names[1]) != 0)
            std::abort();
    } catch (const Error&) {}
    for (const char* name : names) {
        std::error_code ignored;
        std::filesystem::remove(folder / name, ignored);
    }
    return 0;
}
