// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/idx.h"
#include "foundation/error.h"

#include <array>

using namespace credence;

/// Any bytes as an IDX file, as images for five labels, and as labels of a known image file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::array<std::uint8_t, 13> five_labels = {0, 0, 8, 1, 0, 0, 0, 5, 0, 1, 2, 3, 9};
    constexpr std::array<std::uint8_t, 18> two_images  = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 7, 255};
    const std::span bytes(data, size);
    const auto attempt = [](auto&& read) {
        try {
            read();
        } catch (const Error&) {}
    };
    attempt([&] { read_idx(*open_memory("a", bytes)); });
    attempt([&] { read_idx_images(*open_memory("a", bytes), *open_memory("b", five_labels), "x").check(); });
    attempt([&] { read_idx_images(*open_memory("a", two_images), *open_memory("b", bytes), "x").check(); });
    return 0;
}
