// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/image_set.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "random/noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace credence {
namespace {

std::string who(const ImageSet& images) { return images.name.empty() ? "The images" : images.name; }

std::string size_text(const ImageSet& images) { return shape_text({images.channels, images.height, images.width}); }

/// Bytes minus the mean of their pixel.
aligned_vector<float> centred_pixels(const ImageSet& images, std::span<const double> mean)
{
    aligned_vector<float> out(images.pixels.size());
    for (std::size_t i = 0; i < images.n; ++i) {
        stop_point();
        const auto image  = images.image(i);
        float* const from = out.data() + i * mean.size();
        for (std::size_t p = 0; p < mean.size(); ++p)
            from[p] = static_cast<float>(static_cast<double>(image[p]) - mean[p]);
    }
    return out;
}

aligned_vector<float> divided_pixels(const ImageSet& images, PixelScaling scaling)
{
    std::array<float, 256> values;   // the quotients of all possible bytes
    for (std::size_t v = 0; v < 256; ++v)
        values[v] = static_cast<float>(static_cast<double>(v) / divisor_of(scaling));
    aligned_vector<float> out(images.pixels.size());
    constexpr std::size_t block = 1 << 20;
    for (std::size_t begin = 0; begin < out.size(); begin += block) {
        stop_point();
        const auto from = images.pixels.begin() + static_cast<std::ptrdiff_t>(begin);
        std::transform(from, from + static_cast<std::ptrdiff_t>(std::min(block, out.size() - begin)),
                       out.begin() + static_cast<std::ptrdiff_t>(begin), [&](std::uint8_t p) { return values[p]; });
    }
    return out;
}

/// The data set without inputs. Features are called "r3 c17", and "red …", "blue …" for colours.
Dataset table_of(const ImageSet& images)
{
    Dataset table;
    table.name                                  = images.name;
    table.task                                  = Task::classification;
    table.n_rows                                = images.n;
    table.n_features                            = images.n_pixels();
    table.labels                                = images.labels;
    table.class_names                           = images.class_names;
    table.target_name                           = "class";
    constexpr std::array<const char*, 3> colour = {"red ", "green ", "blue "};
    for (std::size_t c = 0; c < images.channels; ++c)
        for (std::size_t y = 0; y < images.height; ++y)
            for (std::size_t x = 0; x < images.width; ++x)
                table.feature_names.emplace_back(images.channels == 3 ? colour[c] : "")
                    .append("r")
                    .append(std::to_string(y + 1))
                    .append(" c")
                    .append(std::to_string(x + 1));
    return table;
}

bool channel_count(std::size_t c) { return c == 1 || c == 3; }

}   // namespace

void ImageSet::check() const
{
    if (n == 0)
        throw Error(who(*this) + ": found no images, expected at least 1.");
    if (!channel_count(channels) || height == 0 || width == 0)
        throw Error(who(*this) + ": images of " + size_text(*this)
                    + ", expected 1 or 3 channels and at least one row and column.");
    if (pixels.size() != n * n_pixels())
        throw Error(who(*this) + ": found " + std::to_string(pixels.size()) + " pixels, expected "
                    + std::to_string(n * n_pixels()) + ".");
    if (labels.size() != n)
        throw Error(who(*this) + ": found " + std::to_string(labels.size()) + " labels, expected " + std::to_string(n)
                    + ".");
    if (!groups.empty() && groups.size() != n)
        throw Error(who(*this) + ": found " + std::to_string(groups.size()) + " groups, expected " + std::to_string(n)
                    + ", one per image, or none.");
    if (n_classes() < 2)
        throw Error(who(*this) + ": found " + std::to_string(n_classes()) + " class names, expected at least 2.");
    for (std::size_t i = 0; i < n; ++i)
        if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= n_classes())
            throw Error(who(*this) + ": label " + std::to_string(i + 1) + " is " + std::to_string(labels[i])
                        + ", expected 0 to " + std::to_string(n_classes() - 1) + ".");
}

void ImageData::check() const
{
    training.check();
    test.check();
    const auto require_same_kind = [&](const ImageSet& part, const std::string& images) {
        if (training.channels != part.channels || training.height != part.height || training.width != part.width)
            throw Error(who(training) + ": " + images + " images of " + size_text(part) + ", expected "
                        + size_text(training) + " as for training.");
        if (training.class_names != part.class_names)
            throw Error(who(training) + ": " + images + " images have different classes from the training images.");
    };
    require_same_kind(test, "test");
    if (validation.n > 0) {
        validation.check();
        require_same_kind(validation, "validation");
    }
}

double divisor_of(PixelScaling scaling)
{
    switch (scaling) {
    case PixelScaling::divide_256: return 256;
    case PixelScaling::divide_255: return 255;
    case PixelScaling::divide_126: return 126;
    case PixelScaling::subtract_mean: break;
    }
    return 1;
}

std::vector<double> mean_image(const ImageSet& images)
{
    std::vector<std::uint64_t> sums(images.n_pixels(), 0);
    for (std::size_t i = 0; i < images.n; ++i) {
        const auto image = images.image(i);
        for (std::size_t p = 0; p < sums.size(); ++p)
            sums[p] += image[p];
    }
    std::vector<double> mean(sums.size());
    std::transform(sums.begin(), sums.end(), mean.begin(),
                   [n = static_cast<double>(images.n)](std::uint64_t sum) { return static_cast<double>(sum) / n; });
    return mean;
}

SplitData to_split(const ImageData& data, PixelScaling scaling)
{
    data.check();
    SplitData parts;
    parts.training       = table_of(data.training);
    const bool validated = data.validation.n > 0;
    const ImageSet& test = validated ? data.validation : data.test;
    parts.test           = table_of(test);
    parts.inputs         = Standardiser::identity(data.training.n_pixels());
    parts.inputs.sd      = std::vector<double>(data.training.n_pixels(), divisor_of(scaling));
    const bool centred   = scaling == PixelScaling::subtract_mean;
    if (centred)
        parts.inputs.mean = mean_image(data.training);
    const auto scaled = [&](const ImageSet& images) {
        return centred ? centred_pixels(images, parts.inputs.mean) : divided_pixels(images, scaling);
    };
    parts.training_inputs = scaled(data.training);
    parts.test_inputs     = scaled(test);
    if (validated) {
        parts.test_name         = "validation set";
        parts.final_test        = table_of(data.test);
        parts.final_test_inputs = scaled(data.test);
    }
    parts.image = ImageShape{static_cast<int>(data.training.channels), static_cast<int>(data.training.height),
                             static_cast<int>(data.training.width)};
    return parts;
}

std::vector<std::string> digit_names() { return {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}; }

std::vector<int> checked_labels(const std::string& file, const NumberArray& labels, std::size_t n_classes)
{
    if (labels.shape.size() != 1)
        throw Error(file + ": found " + shape_text(labels.shape) + " numbers, expected one label per image.");
    if (!labels.integer())
        throw Error(file + ": found labels of type " + std::string(type_name(labels.values))
                    + ", expected whole numbers.");
    std::vector<int> checked;
    for (std::size_t i = 0; i < labels.size(); ++i) {   // all are checked before anything is allocated
        const double label = labels.at(i);
        if (!(label >= 0 && label < static_cast<double>(n_classes)))
            throw Error(file + ": label " + std::to_string(i + 1) + " is " + number_text(label, 15) + ", expected 0 to "
                        + std::to_string(n_classes - 1) + ".");
    }
    checked.reserve(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i)
        checked.push_back(static_cast<int>(labels.at(i)));
    return checked;
}

void require_image_shape(const std::string& file, const NumberArray::Values& type,
                         const std::vector<std::size_t>& shape, std::size_t n_labels)
{
    if (!std::holds_alternative<std::vector<std::uint8_t>>(type))
        throw Error(file + ": found numbers of type " + std::string(type_name(type))
                    + ", expected pixels of type uint8.");
    const bool grey   = shape.size() == 3;
    const bool colour = shape.size() == 4 && (channel_count(shape[1]) || channel_count(shape[3]));
    if (!grey && !colour)
        throw Error(file + ": found " + shape_text(shape)
                    + " numbers, expected images × rows × columns, or with 1 or 3 channels.");
    if (std::find(shape.begin(), shape.end(), 0u) != shape.end())
        throw Error(file + ": found " + shape_text(shape)
                    + " numbers, expected at least one image of at least one pixel.");
    if (shape[0] != n_labels)
        throw Error(file + ": announces " + std::to_string(shape[0]) + " images, expected " + std::to_string(n_labels)
                    + ", one per label.");
}

ImageSet make_image_set(std::string name, NumberArray images, std::vector<int> labels,
                        std::vector<std::string> class_names)
{
    const std::vector<std::size_t>& shape = images.shape;
    require_image_shape(name, images.values, shape, labels.size());
    const bool channels_last = shape.size() == 4 && !channel_count(shape[1]);
    ImageSet set;
    set.name        = std::move(name);
    set.n           = shape[0];
    set.channels    = shape.size() == 3 ? 1 : shape[channels_last ? 3 : 1];
    set.height      = shape[shape.size() == 3 || channels_last ? 1 : 2];
    set.width       = shape[shape.size() == 3 || channels_last ? 2 : 3];
    set.pixels      = std::move(std::get<std::vector<std::uint8_t>>(images.values));
    set.labels      = std::move(labels);
    set.class_names = std::move(class_names);
    if (channels_last) {
        std::vector<std::uint8_t> one(set.n_pixels());
        for (std::size_t i = 0; i < set.n; ++i) {
            std::uint8_t* const pixels = set.pixels.data() + i * set.n_pixels();
            std::copy_n(pixels, one.size(), one.begin());
            for (std::size_t p = 0; p < one.size(); ++p)
                pixels[p % set.channels * set.height * set.width + p / set.channels] = one[p];
        }
    }
    set.check();
    return set;
}

namespace {

constexpr std::uint32_t validation_key = 1;   // key in Stream::split; tables use 0

std::string name_of_all(const ImageSet& images) { return images.name.empty() ? "The data" : images.name; }

/// Moves rows of randomly chosen whole groups, at most n rows, before all others. @return  their
/// number
std::size_t draw_groups(const ImageSet& all, std::size_t n, const NoiseKey& key, std::vector<std::uint32_t>& order)
{
    std::map<std::uint32_t, std::vector<std::uint32_t>> rows_of;
    for (std::size_t i = 0; i < all.n; ++i)
        rows_of[all.groups[i]].push_back(static_cast<std::uint32_t>(i));
    std::vector<const std::vector<std::uint32_t>*> groups;
    for (const auto& [group, rows] : rows_of)
        groups.push_back(&rows);
    std::vector<std::uint32_t> drawn, others;
    for (const std::uint32_t g : permutation(key, groups.size())) {
        auto& to = drawn.size() + groups[g]->size() <= n ? drawn : others;
        to.insert(to.end(), groups[g]->begin(), groups[g]->end());
    }
    if (drawn.empty() && n > 0)
        throw Error(name_of_all(all) + " has groups of images that belong together, but none of at most "
                    + std::to_string(n) + " images; expected more images for validation.");
    order = drawn;
    order.insert(order.end(), others.begin(), others.end());
    return drawn.size();
}

}   // namespace

ImageSet subset(const ImageSet& all, std::span<const std::uint32_t> rows)
{
    ImageSet part;
    part.name        = all.name;
    part.n           = rows.size();
    part.channels    = all.channels;
    part.height      = all.height;
    part.width       = all.width;
    part.class_names = all.class_names;
    part.pixels.reserve(rows.size() * all.n_pixels());
    part.labels.reserve(rows.size());
    part.groups.reserve(all.groups.empty() ? 0 : rows.size());
    for (const std::uint32_t i : rows) {
        const auto image = all.image(i);
        part.pixels.insert(part.pixels.end(), image.begin(), image.end());
        part.labels.push_back(all.labels[i]);
        if (!all.groups.empty())
            part.groups.push_back(all.groups[i]);
    }
    return part;
}

ImageSet first_images(const ImageSet& all, std::size_t n)
{
    if (n == 0)
        throw Error(name_of_all(all) + ": found 0 as the number of images, expected at least 1.");
    if (n > all.n)
        throw Error(name_of_all(all) + " has " + std::to_string(all.n) + " images, expected at least "
                    + std::to_string(n) + ".");
    std::vector<std::uint32_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0u);
    return subset(all, rows);
}

ImageSet images_per_class(const ImageSet& all, std::size_t n)
{
    if (n == 0)
        throw Error(name_of_all(all) + ": found 0 as the number of images per class, expected at least 1.");
    std::vector<std::size_t> found(all.n_classes(), 0);
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < all.n; ++i)
        if (found[static_cast<std::size_t>(all.labels[i])]++ < n)
            rows.push_back(static_cast<std::uint32_t>(i));
    for (std::size_t k = 0; k < found.size(); ++k)
        if (found[k] < n)
            throw Error(name_of_all(all) + " has " + std::to_string(found[k]) + " images of class " + all.class_names[k]
                        + ", expected at least " + std::to_string(n) + ".");
    return subset(all, rows);
}

ImageSet only_classes(const ImageSet& all, std::span<const int> classes)
{
    std::vector<int> new_label(all.n_classes(), -1);
    for (std::size_t j = 0; j < classes.size(); ++j) {
        const int k = classes[j];
        if (k < 0 || static_cast<std::size_t>(k) >= all.n_classes())
            throw Error(name_of_all(all) + ": class " + std::to_string(k) + " was selected, expected 0 to "
                        + std::to_string(all.n_classes() - 1) + ".");
        int& label = new_label[static_cast<std::size_t>(k)];
        if (label >= 0)
            throw Error(name_of_all(all) + ": class " + std::to_string(k)
                        + " was selected twice, expected different classes.");
        label = static_cast<int>(j);
    }
    if (classes.size() < 2)
        throw Error(name_of_all(all) + ": " + std::to_string(classes.size())
                    + " classes were selected, expected at least 2.");
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < all.n; ++i)
        if (new_label[static_cast<std::size_t>(all.labels[i])] >= 0)
            rows.push_back(static_cast<std::uint32_t>(i));
    if (rows.empty())
        throw Error(name_of_all(all) + " has no images of the selected classes, expected at least 1.");
    ImageSet part = subset(all, rows);
    for (int& label : part.labels)
        label = new_label[static_cast<std::size_t>(label)];
    part.class_names.clear();
    for (const int k : classes)
        part.class_names.push_back(all.class_names[static_cast<std::size_t>(k)]);
    return part;
}

ImageData exchanged(ImageData data)
{
    std::swap(data.training, data.test);
    return data;
}

ValidationSplit split_validation(const ImageSet& all, std::size_t n, std::uint64_t seed)
{
    if (n >= all.n)
        throw Error(name_of_all(all) + " has " + std::to_string(all.n) + " images, expected more than the "
                    + std::to_string(n) + " for validation.");
    const NoiseKey key{seed, Stream::split, validation_key};
    std::vector<std::uint32_t> order;
    if (all.groups.empty())
        order = permutation(key, all.n);
    else
        n = draw_groups(all, n, key, order);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(n);
    std::sort(order.begin(), middle);
    std::sort(middle, order.end());
    return {subset(all, {middle, order.end()}), subset(all, {order.begin(), middle})};
}

ImageData chosen(ImageData data, const ImageChoice& choice)
{
    if (choice.exchanged)
        data = exchanged(std::move(data));
    if (!choice.classes.empty()) {
        data.training = only_classes(data.training, choice.classes);
        data.test     = only_classes(data.test, choice.classes);
    }
    if (choice.per_class)
        data.training = images_per_class(data.training, *choice.per_class);
    if (choice.first)
        data.training = first_images(data.training, *choice.first);
    return data;
}

}   // namespace credence
