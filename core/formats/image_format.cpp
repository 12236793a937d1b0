// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "formats/byte_source.h"
#include "foundation/error.h"
#include "foundation/files.h"

#include <algorithm>
#include <array>
#include <span>

namespace credence {

std::vector<ImageFormat> listed_image_formats();   // made from core/formats/list.cmake

namespace {

/// CIFAR's Python version uses pickles, which can run programs and are not read.
void refuse_pickled_batches(const std::filesystem::path& folder)
{
    for (const auto& place : {folder, folder / "cifar-10-batches-py", folder / "cifar-100-python"})
        for (const char* file : {"data_batch_1", "test_batch", "train", "test"})
            if (is_file(place / file)) {
                std::array<std::uint8_t, 16> head{};
                const std::size_t got = open_file(place / file)->read(head);
                if (looks_like(std::span(head).first(got)).starts_with("a Python pickle"))
                    throw Error(place.filename().string() + ": found CIFAR's Python version, whose " + file
                                + " is a pickle; pickles are not read because they can run programs. Expected the "
                                  "binary version "
                                  "(cifar-10-binary.tar.gz, with data_batch_1.bin).");
            }
}

/// "a, b or c". @param before_or  a comma also before the last item
std::string one_of(const std::vector<std::string>& all, bool comma_before_or)
{
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i == 0 ? "" : i + 1 < all.size() ? ", " : comma_before_or ? ", or " : " or ") + all[i];
    return text;
}

}   // namespace

const std::vector<ImageFormat>& image_formats()
{
    static const std::vector<ImageFormat> all = listed_image_formats();
    return all;
}

const ImageFormat* loadable_format(const std::filesystem::path& path)
{
    for (const ImageFormat& format : image_formats())
        if (format.complete && format.complete(path))
            return &format;
    return nullptr;
}

const ImageFormat& importable_format(const std::filesystem::path& path)
{
    if (!is_file(path) && !is_folder(path))
        throw Error(path.string() + ": there is no such file or folder, expected a data set of images.");
    for (const ImageFormat& format : image_formats())
        if (format.recognises(path)) {
            if (format.pictures)
                refuse_pickled_batches(path);
            return format;
        }
    std::array<std::uint8_t, 16> head{};
    const std::size_t got = open_file(path)->read(head);
    std::vector<std::string> expected;
    for (const ImageFormat& format : image_formats())
        if (std::ranges::find(expected, format.imported) == expected.end())
            expected.push_back(format.imported);
    throw Error(path.filename().string() + ": found "
                + (got == 0 ? "an empty file" : looks_like(std::span(head).first(got))) + ", expected "
                + one_of(expected, false) + ".");
}

std::string loadable_formats()
{
    std::vector<std::string> expected;
    for (const ImageFormat& format : image_formats())
        if (format.complete)
            expected.push_back(format.expected);
    return one_of(expected, true);
}

std::vector<std::string> numbered_classes(std::initializer_list<const NumberArray*> labels)
{
    constexpr double most = 100000;   // invalid labels are left to checked_labels
    double last           = 1;
    for (const NumberArray* part : labels)
        for (std::size_t i = 0; i < part->size(); ++i)
            if (part->at(i) <= most)
                last = std::max(last, part->at(i));
    std::vector<std::string> names;
    for (std::size_t k = 0; k <= static_cast<std::size_t>(last); ++k)
        names.push_back(std::to_string(k));
    return names;
}

}   // namespace credence
