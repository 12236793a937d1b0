// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/idx_write.h"

#include "foundation/error.h"
#include "foundation/write_whole.h"

#include <nlohmann/json.hpp>

namespace credence {

namespace {

namespace fs = std::filesystem;

void write_part(const fs::path& folder, const std::string& part, const ImageSet& images)
{
    if (images.n == 0)
        return;
    images.check();
    if (images.n_classes() > 256)
        throw Error(images.name + ": found " + std::to_string(images.n_classes()) + " classes, expected at most 256.");
    const std::vector<std::uint8_t> labels(images.labels.begin(), images.labels.end());
    std::vector<std::size_t> shape = {images.n, images.height, images.width};
    if (images.channels != 1)
        shape.insert(shape.begin() + 1, images.channels);
    write_idx(folder / (part + (images.channels == 1 ? "-images-idx3-ubyte" : "-images-idx4-ubyte")), shape,
              images.pixels);
    write_idx(folder / (part + "-labels-idx1-ubyte"), std::vector<std::size_t>{images.n}, labels);
    if (!images.groups.empty()) {
        const std::vector<std::int32_t> groups(images.groups.begin(), images.groups.end());
        write_idx(folder / (part + "-groups-idx1-int"), std::vector<std::size_t>{images.n}, groups);
    }
}

void append_big_endian(std::string& bytes, std::uint32_t number)
{
    for (const int shift : {24, 16, 8, 0})
        bytes += static_cast<char>(number >> shift & 0xff);
}

void write_idx_bytes(const fs::path& file, char type, std::span<const std::size_t> shape, std::string_view numbers)
{
    std::string header = {0, 0, type, static_cast<char>(shape.size())};
    for (const std::size_t size : shape)
        append_big_endian(header, static_cast<std::uint32_t>(size));
    WholeFile whole(file);
    whole.write(header);
    whole.write(numbers);
    whole.keep();
}

}   // namespace

void write_idx(const fs::path& file, std::span<const std::size_t> shape, std::span<const std::uint8_t> numbers)
{
    write_idx_bytes(file, 8, shape, {reinterpret_cast<const char*>(numbers.data()), numbers.size()});
}

void write_idx(const fs::path& file, std::span<const std::size_t> shape, std::span<const std::int32_t> numbers)
{
    std::string bytes;
    for (const std::int32_t number : numbers)
        append_big_endian(bytes, static_cast<std::uint32_t>(number));
    write_idx_bytes(file, 12, shape, bytes);
}

void write_image_folder(const fs::path& folder, const ImageData& data, const ImageSetDescription& description)
{
    std::error_code error;
    if (fs::exists(folder, error))
        throw Error(folder.string() + ": a data set of this name already exists, expected a new name.");
    fs::create_directories(folder.parent_path(), error);
    const fs::path place = temporary_beside(folder);
    if (!fs::create_directories(place, error))
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + ").");
    try {
        const ImageSet& any = data.training.n > 0 ? data.training : data.test;
        write_part(place, "train", data.training);
        write_part(place, "t10k", data.test);
        const nlohmann::ordered_json about = {{"title", description.title},
                                              {"about", description.about},
                                              {"license", description.license},
                                              {"classes", any.class_names}};
        write_whole(place / "dataset.json", about.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        replace_whole(place, folder);
    } catch (...) {
        fs::remove_all(place, error);
        throw;
    }
}

}   // namespace credence
