// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace credence;

// All readers as one libFuzzer program: fuzz --reader=NAME, followed by libFuzzer's own options;
// fuzz --list lists them.
namespace {

const fuzz::Reader* chosen = nullptr;

}   // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
    constexpr std::string_view option = "--reader=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view argument = (*argv)[i];
        if (argument == "--list") {
            for (const fuzz::Reader& reader : fuzz::readers())
                std::printf("%s %s\n", reader.name, reader.more_seeds);
            std::exit(0);
        }
        if (argument.starts_with(option))
            try {
                chosen = &fuzz::reader_named(std::string(argument.substr(option.size())));
            } catch (const Error& error) {
                std::fprintf(stderr, "%s\n", error.what());
                std::exit(2);
            }
    }
    if (chosen == nullptr) {
        std::fprintf(stderr, "Expected --reader=NAME; --list prints the names.\n");
        std::exit(2);
    }
    return 0;
}

/// Mutations that mostly keep checksums valid.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (chosen->repair != nullptr && seed % 8 != 0)
        chosen->repair({data, size});
    return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        fuzz::feed(*chosen, {data, size});
    } catch (const std::exception& broken) {
        std::fprintf(stderr, "%s: %s\n", chosen->name, broken.what());
        std::abort();
    }
    return 0;
}
