// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputs_file.h"

#include "foundation/error.h"
#include "outputs/draws_array.h"
#include "outputs/gaussian_outputs.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr const char* arrays_of_outputs[] = {"probabilities", "logits", "labels",   "class_names", "images",
                                             "inputs",        "mean",   "variance", "covariance"};
constexpr std::size_t most_image_bytes = std::size_t{1} << 30, most_inputs = std::size_t{1} << 26,
                      pixels_at_once = 1 << 18;

/// Converts numbers to bytes. @param of  returns a number of the array by its index
template <class Of>
std::vector<std::uint8_t> stretched(std::size_t n, Of of, const std::string& name)
{
    float low = 0, high = 0;
    of([&](std::size_t first, std::span<const float> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i]))
                throw Error(name + ": number " + std::to_string(first + i) + " is not finite, expected pixels.");
            low  = std::min(low, values[i]);
            high = std::max(high, values[i]);
        }
    });
    const bool whole   = low >= 0 && high <= 255;
    const double scale = !whole ? 255.0 / (static_cast<double>(high) - low) : high <= 1 ? 255.0 : 1.0;
    std::vector<std::uint8_t> bytes(n);
    of([&](std::size_t first, std::span<const float> values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            bytes[first + i] = static_cast<std::uint8_t>(
                std::clamp(std::lround((values[i] - (whole ? 0.0 : static_cast<double>(low))) * scale), 0L, 255L));
    });
    return bytes;
}

std::shared_ptr<const ImageSet> images_of(NpyStream stream, const OutputsAtHand::Part& part)
{
    const std::string& name = stream.name();
    if (stream.text())
        throw Error(name + ": found strings, expected pixels.");
    if (stream.shape().empty() || stream.shape()[0] != part.n)
        throw Error(name + ": found the shape " + shape_text(stream.shape()) + ", expected " + std::to_string(part.n)
                    + " images, one for each row.");
    if (stream.size() > most_image_bytes)
        throw Error(name + ": found " + std::to_string(stream.size()) + " pixels, expected at most "
                    + std::to_string(most_image_bytes) + ". Save smaller images, or leave them out.");
    NumberArray pixels{stream.shape(), {}};
    require_image_shape(name, std::vector<std::uint8_t>(), pixels.shape, part.n);
    if (stream.bytes()) {
        pixels = stream.numbers();
    } else if (stream.fortran()) {
        const NumberArray all = stream.numbers();
        pixels.values         = stretched(
                    all.size(),
                    [&](const auto& use) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto one = static_cast<float>(all.at(i));
                use(i, std::span(&one, 1));
            }
            },
                    name);
    } else {
        std::vector<float> some(pixels_at_once);
        pixels.values = stretched(
            stream.size(),
            [&](const auto& use) {
            for (std::size_t first = 0; first < stream.size(); first += pixels_at_once) {
                const auto values = std::span(some).first(std::min(pixels_at_once, stream.size() - first));
                stream.read(first, values);
                use(first, std::span<const float>(values));
            }
            },
            name);
    }
    auto labels = part.labels.empty() ? std::vector<int>(part.n, 0) : part.labels;
    return std::make_shared<const ImageSet>(
        make_image_set(part.name, std::move(pixels), std::move(labels), part.class_names));
}

void take_inputs(NpyStream stream, OutputsAtHand::Part& part)
{
    const auto& shape = stream.shape();
    if (stream.text() || shape.empty() || shape.size() > 2 || shape[0] != part.n || stream.size() == 0)
        throw Error(stream.name() + ": "
                    + (stream.text() ? std::string("found strings") : "found the shape " + shape_text(shape))
                    + ", expected numbers [" + std::to_string(part.n) + " × d], one row for each row of the outputs.");
    if (stream.size() > most_inputs)
        throw Error(stream.name() + ": found " + std::to_string(stream.size()) + " numbers, expected at most "
                    + std::to_string(most_inputs) + ".");
    part.n_inputs         = stream.size() / part.n;
    const NumberArray all = stream.numbers();
    part.inputs.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        part.inputs.push_back(all.at(i));
        if (!std::isfinite(part.inputs.back()))
            throw Error(stream.name() + ": row " + std::to_string(i / part.n_inputs) + ", column "
                        + std::to_string(i % part.n_inputs) + " is not finite, expected a number.");
    }
}

/// Reads labels, names, images and inputs. False: stopped.
bool take_rest(const ArrayFiles& files, OutputsFile& out, const std::stop_token& stop)
{
    auto& part       = out.part;
    part.name        = files.name;
    part.n           = out.rows->n_rows();
    const int K      = out.rows->n_classes();
    part.class_names = numbers_as_names(K);
    const auto with  = [&](const char* array, const auto& use) {
        if (!files.has(array))
            return true;
        auto source = files.open(array, true, stop);
        if (source)
            use(NpyStream(std::move(source)));
        return !stop.stop_requested();
    };
    return with(
               "labels",
               [&](NpyStream labels) {
        part.labels = labels_of_rows(files.name, std::move(labels), part.n, K, "the outputs");
               })
        && with("class_names",
                [&](NpyStream names) { part.class_names = names_of_classes(files.name, std::move(names), K); })
        && with("images", [&](NpyStream images) { part.images = images_of(std::move(images), part); })
        && with("inputs", [&](NpyStream inputs) { take_inputs(std::move(inputs), part); });
}

/// @param gaussians  opens the same file as Gaussians over logits; null if stopped
template <class Gaussians>
std::optional<OutputsFile> opened(const ArrayFiles& files, Gaussians gaussians, const std::stop_token& stop)
{
    OutputsFile out;
    if (files.has("probabilities") || files.has("logits") || !files.has("mean")) {
        if (!files.has("probabilities") && !files.has("logits"))
            throw Error(files.name
                        + ": found no array “probabilities”, “logits” or “mean”, expected one of them; the arrays are "
                        + files.list() + ".");
        const auto draws = DrawsArray::open(files, stop);
        if (!draws)
            return {};
        out.rows      = draws;
        out.part.note = draws->note();
        out.numbers   = DrawsArray::arrays[static_cast<std::size_t>(draws->kind())];
    } else {
        auto file = gaussians();
        if (!file)
            return {};
        out.rows    = std::make_shared<const GaussianOutputs>(std::move(file));
        out.numbers = "Gaussians over logits";
    }
    if (!take_rest(files, out, stop))
        return {};
    return out;
}

}   // namespace

std::optional<OutputsFile> open_outputs(const std::filesystem::path& file, std::stop_token stop)
{
    return opened(
        array_files(file, arrays_of_outputs), [&] { return LogitsFile::open(file, stop); }, stop);
}

std::optional<std::filesystem::path> outputs_in_folder(const std::filesystem::path& folder)
{
    std::error_code ignored;
    for (const char* array : {"probabilities.npy", "logits.npy", "mean.npy"})
        if (std::filesystem::is_regular_file(folder / array, ignored))
            return folder / array;
    return {};
}

bool is_logits_file(const std::filesystem::path& file)
{
    const auto files = array_files(file, arrays_of_outputs);
    return files.has("mean") && !files.has("probabilities") && !files.has("logits") && !files.has("images")
           && !files.has("inputs");
}

OutputsFile open_outputs(std::string name, std::span<const std::uint8_t> npz)
{
    const auto files = array_files(name, npz);
    return *opened(files, [&] { return LogitsFile::open(std::move(name), npz); }, {});
}

}   // namespace credence
