// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_format.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <algorithm>
#include <array>
#include <memory>

namespace credence {
namespace {

constexpr std::size_t pixels_of_image = 3 * 32 * 32, record = 1 + pixels_of_image;
constexpr std::uint64_t most_bytes = std::uint64_t{record} * 1'000'000;

std::uint64_t images_in(ByteSource& source)
{
    const std::uint64_t length = source.length(most_bytes);
    if (length == 0)
        throw Error(source.name() + ": found an empty file, expected CIFAR-10's records of 3073 bytes.");
    if (length > most_bytes)
        throw Error(source.name() + ": found more than 1000000 images, expected fewer.");
    if (length % record != 0) {
        std::array<std::uint8_t, 16> head{};
        source.rewind();
        const std::string looks = looks_like(std::span(head).first(source.read(head)));
        throw Error(source.name() + ": found "
                    + (looks.starts_with("the bytes") ? std::to_string(length) + " bytes" : looks)
                    + ", expected a multiple of 3073 bytes (a label and 3 × 32 × 32 pixels).");
    }
    std::array<std::uint8_t, record> one;
    source.rewind();
    for (std::uint64_t i = 0; i < length / record; ++i) {
        read_exactly(source, one, "a record");
        if (one[0] > 9)
            throw Error(source.name() + ": label " + std::to_string(i + 1) + " is " + std::to_string(one[0])
                        + ", expected 0 to 9.");
    }
    return length / record;
}

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

std::vector<std::string> cifar10_names()
{
    return {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
}

ImageSet read_cifar10(std::span<ByteSource* const> files, std::string name)
{
    ImageSet set;
    for (ByteSource* file : files)
        set.n += static_cast<std::size_t>(images_in(*file));
    set.name        = std::move(name);
    set.channels    = 3;
    set.height      = 32;
    set.width       = 32;
    set.class_names = cifar10_names();
    set.pixels.resize(set.n * pixels_of_image);
    set.labels.reserve(set.n);
    for (ByteSource* file : files) {
        file->rewind();
        for (std::array<std::uint8_t, 1> label{}; file->read(label) == 1;) {
            read_exactly(*file, std::span(set.pixels).subspan(set.labels.size() * pixels_of_image, pixels_of_image),
                         "an image");
            set.labels.push_back(label[0]);
        }
    }
    set.check();
    return set;
}

ImageSet read_cifar10(std::span<const std::filesystem::path> files, std::string name)
{
    std::vector<std::unique_ptr<ByteSource>> open;
    std::vector<ByteSource*> sources;
    for (const auto& file : files)
        sources.push_back(open.emplace_back(open_file(file)).get());
    return read_cifar10(std::span<ByteSource* const>(sources), std::move(name));
}

ImageData read_cifar10_folder(const std::filesystem::path& folder)
{
    std::error_code ignored;
    const auto below = folder / "cifar-10-batches-bin";
    const auto home  = std::filesystem::is_directory(below, ignored) ? below : folder;
    std::vector<std::filesystem::path> training, test = {home / "test_batch.bin"};
    for (int i = 1; i <= 5; ++i)
        training.push_back(home / ("data_batch_" + std::to_string(i) + ".bin"));
    ImageData data;
    data.test     = read_cifar10(std::span<const std::filesystem::path>(test));
    data.training = read_cifar10(std::span<const std::filesystem::path>(training));
    return data;
}

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
