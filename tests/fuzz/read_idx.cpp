// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/idx.h"
#include "formats/image_folder.h"
#include "formats/image_format.h"
#include "fuzz/reader.h"

#include <array>
#include <memory>

namespace credence::fuzz {

/// Any bytes as an IDX file, as images for five labels, and as labels of a known image file.
bool read_idx_files(Bytes input)
{
    constexpr std::array<std::uint8_t, 13> five_labels = {0, 0, 8, 1, 0, 0, 0, 5, 0, 1, 2, 3, 9};
    constexpr std::array<std::uint8_t, 18> two_images  = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 7, 255};
    bool accepted                                      = attempt([&] { read_idx(*open_memory("a", input)); });
    accepted |= attempt(
        [&] { read_idx_images(*open_memory("a", input), *open_memory("b", five_labels), "x").check(); });
    accepted |= attempt([&] { read_idx_images(*open_memory("a", two_images), *open_memory("b", input), "x").check(); });
    return accepted;
}

/// Any bytes as records of CIFAR-10, which are a valid set of images.
bool read_cifar(Bytes input)
{
    return attempt([&] {
        const auto file             = open_memory("data_batch_1.bin", input);
        ByteSource* const sources[] = {file.get()};
        read_cifar10(std::span<ByteSource* const>(sources)).check();
    });
}

/// Any bytes as a portable pixmap: three planes of its size.
bool read_ppm_picture(Bytes input)
{
    return attempt([&] {
        const DecodedPicture picture = read_ppm(file_in_memory("picture.ppm", input));
        holds(picture.channels == 3 && picture.pixels.size() == 3 * picture.height * picture.width,
              "a picture has three planes of its size");
    });
}

}   // namespace credence::fuzz
