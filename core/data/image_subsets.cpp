// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/image_subsets.h"

#include "foundation/error.h"
#include "random/noise.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace credence {

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
