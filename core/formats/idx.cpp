// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/idx.h"

#include "formats/byte_source.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <initializer_list>
#include <optional>

namespace credence {
namespace {

struct IdxHeader {
    NumberArray::Values type;   ///< empty, of the type of the numbers
    std::size_t size_of_number = 0;
    std::vector<std::size_t> shape;
    std::uint64_t length = 0;   ///< bytes of the header itself
};

template <class Number>
bool take(IdxHeader& header, std::uint8_t found, std::uint8_t code)
{
    if (found != code)
        return false;
    header.type           = std::vector<Number>();
    header.size_of_number = sizeof(Number);
    return true;
}

IdxHeader read_header(ByteSource& source)
{
    source.rewind();
    std::array<std::uint8_t, 4> magic{};
    read_exactly(source, magic, "IDX data");
    IdxHeader header;
    const auto type  = magic[2];
    const bool known = take<std::uint8_t>(header, type, 0x08) || take<std::int8_t>(header, type, 0x09)
                       || take<std::int16_t>(header, type, 0x0B) || take<std::int32_t>(header, type, 0x0C)
                       || take<float>(header, type, 0x0D) || take<double>(header, type, 0x0E);
    if (magic[0] != 0 || magic[1] != 0 || !known || magic[3] < 1 || magic[3] > 8) {
        std::array<std::uint8_t, 16> head{};
        source.rewind();
        const std::size_t n = source.read(head);
        throw Error(source.name() + ": found " + looks_like(std::span(head).first(n))
                    + ", expected IDX data (00 00, a type from 08 to 0E, 1 to 8 dimensions).");
    }
    for (int d = 0; d < magic[3]; ++d) {
        std::array<std::uint8_t, 4> size{};
        read_exactly(source, size, "the size of dimension " + std::to_string(d + 1));
        header.shape.push_back(std::size_t{size[0]} << 24 | std::size_t{size[1]} << 16 | std::size_t{size[2]} << 8
                               | size[3]);
    }
    header.length = 4 + 4u * magic[3];
    return header;
}

NumberArray read_body(ByteSource& source, IdxHeader header)
{
    const std::uint64_t body = byte_count(source.name(), header.shape, header.size_of_number);
    require_length(source, header.length, body, header.shape);
    NumberArray array{std::move(header.shape), std::move(header.type)};
    read_numbers(source, static_cast<std::size_t>(body / header.size_of_number), std::endian::big, array.values);
    return array;
}

/// The first existing file of stem-kind and stem.kind, and both with .gz.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder, const std::string& stem,
                                               std::initializer_list<const char*> kinds)
{
    for (const char* ending : {"", ".gz"})
        for (const char* kind : kinds)
            for (const char* join : {"-", "."}) {
                std::error_code ignored;
                auto path = folder / (stem + join + kind + ending);
                if (std::filesystem::is_regular_file(path, ignored))
                    return path;
            }
    return {};
}

std::filesystem::path need(const std::optional<std::filesystem::path>& file, const std::filesystem::path& folder,
                           const std::string& name, const char* what)
{
    if (file)
        return *file;
    const std::string shown     = folder.filename().empty() ? folder.parent_path().filename().string()
                                                            : folder.filename().string();
    std::string dotted          = name;
    dotted[dotted.find("-idx")] = '.';
    throw Error(shown + ": found no " + what + ", expected " + name + ", " + dotted + " or one of them with .gz.");
}

/// One number per image; none if there is no file.
std::vector<std::uint32_t> read_groups(const std::optional<std::filesystem::path>& file, std::size_t n)
{
    std::vector<std::uint32_t> groups;
    if (!file)
        return groups;
    const NumberArray numbers = read_idx(*file);
    const std::string name    = file->filename().string();
    if (numbers.shape != std::vector{n} || !numbers.integer())
        throw Error(name + ": found " + shape_text(numbers.shape) + " numbers of type "
                    + std::string(type_name(numbers.values)) + ", expected " + std::to_string(n)
                    + " integers, one per image.");
    for (std::size_t i = 0; i < n; ++i) {
        if (numbers.at(i) < 0)
            throw Error(name + ": group " + std::to_string(i + 1) + " is " + number_text(numbers.at(i), 15)
                        + ", expected a number of at least 0.");
        groups.push_back(static_cast<std::uint32_t>(numbers.at(i)));
    }
    return groups;
}

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

NumberArray read_idx(ByteSource& source) { return read_body(source, read_header(source)); }

NumberArray read_idx(const std::filesystem::path& file) { return read_idx(*open_file(file)); }

ImageSet read_idx_images(ByteSource& images, ByteSource& labels, std::string name, std::vector<std::string> class_names)
{
    const NumberArray numbers = read_idx(labels);
    std::vector<int> checked  = checked_labels(labels.name(), numbers, class_names.size());
    IdxHeader header          = read_header(images);
    require_image_shape(images.name(), header.type, header.shape, checked.size());
    return make_image_set(std::move(name), read_body(images, std::move(header)), std::move(checked),
                          std::move(class_names));
}

ImageSet read_idx_images(const std::filesystem::path& images, const std::filesystem::path& labels, std::string name,
                         std::vector<std::string> class_names)
{
    return read_idx_images(*open_file(images), *open_file(labels), std::move(name), std::move(class_names));
}

MnistFiles mnist_files(const std::filesystem::path& folder)
{
    const auto images = {"idx3-ubyte", "idx4-ubyte"}, labels = {"idx1-ubyte"}, groups = {"idx1-int"};
    return {find_file(folder, "train-images", images), find_file(folder, "train-labels", labels),
            find_file(folder, "t10k-images", images),  find_file(folder, "t10k-labels", labels),
            find_file(folder, "train-groups", groups), find_file(folder, "t10k-groups", groups)};
}

ImageData read_mnist_folder(const std::filesystem::path& folder, std::string name, std::vector<std::string> class_names)
{
    const MnistFiles found     = mnist_files(folder);
    const auto training_images = need(found.training_images, folder, "train-images-idx3-ubyte", "training images");
    const auto training_labels = need(found.training_labels, folder, "train-labels-idx1-ubyte", "training labels");
    const auto test_images     = need(found.test_images, folder, "t10k-images-idx3-ubyte", "test images");
    const auto test_labels     = need(found.test_labels, folder, "t10k-labels-idx1-ubyte", "test labels");
    ImageData data;
    data.test            = read_idx_images(test_images, test_labels, name,
                                           class_names);   // the smaller part first, so that errors are found sooner
    data.training        = read_idx_images(training_images, training_labels, std::move(name), std::move(class_names));
    data.training.groups = read_groups(found.training_groups, data.training.n);
    data.test.groups     = read_groups(found.test_groups, data.test.n);
    data.check();
    return data;
}

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
    const fs::path place = begin_replacement(folder);
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
        finish_replacement(place, folder);
    } catch (...) {
        fs::remove_all(place, error);
        throw;
    }
}

}   // namespace credence
