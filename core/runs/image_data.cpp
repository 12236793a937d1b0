// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/image_data.h"

#include "data/image_subsets.h"
#include "foundation/error.h"
#include "sources/image_sources.h"

#include <mutex>
#include <vector>

namespace credence {
namespace {

/// Runs `work`; a refusal becomes one of `field`.
template <class Work>
auto in_field(const char* field, Work&& work)
{
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.field().empty() ? field : error.field(), error.what());
    }
}

ImageData drawn(const DataSpec& data)
{
    const ImageSpec& images = data.images;
    StrokeOptions options{.alphabet  = images.alphabet,
                          .n         = static_cast<std::size_t>(images.training_images),
                          .seed      = data.toy.seed,
                          .variation = images.variation};
    ImageData parts;
    parts.training = draw_strokes(options);
    options.first  = options.n;
    options.n      = static_cast<std::size_t>(images.test_images);
    parts.test     = draw_strokes(options);
    return parts;
}

ImageData loaded(const ImageSpec& images)
{
    ImageData data = load_image_data(images.set);
    if (data.training.n == 0)
        throw Error(
            "data.set",
            data.test.name
                + " has test images only, expected training images as well: it can serve as prediction.other_data.");
    return data;
}

/// The settings that these images depend on, and when the files were changed.
struct Key {
    DataSource source;
    ImageSpec images;
    std::uint64_t seed, split_seed;
    std::filesystem::path place;
    std::filesystem::file_time_type changed;
    bool operator==(const Key&) const = default;
};

Key key_of(const DataSpec& data, std::uint64_t split_seed)
{
    Key key{data.source, data.images, data.toy.seed, data.images.validation_images > 0 ? split_seed : 0, {}, {}};
    if (data.source == DataSource::strokes) {
        key.images.set.clear();
        return key;
    }
    key.seed          = 0;
    const auto source = find_image_source(data.images.set);
    key.place         = source ? source->folder : std::filesystem::path(data.images.set);
    std::error_code ignored;
    key.changed = std::filesystem::last_write_time(key.place, ignored);
    return key;
}

}   // namespace

ImageData study_images(const DataSpec& data, std::uint64_t split_seed)
{
    const ImageSpec& images = data.images;
    const bool strokes      = data.source == DataSource::strokes;
    ImageData parts         = strokes ? drawn(data) : loaded(images);
    if (!strokes && images.exchanged) {
        parts = exchanged(std::move(parts));
        parts.training.name += ", exchanged";
        parts.test.name += ", exchanged";
    }
    if (!images.only_classes.empty())
        parts = in_field("data.only_classes",
                         [&] { return chosen(std::move(parts), {.classes = images.only_classes}); });
    if (!strokes && images.per_class > 0)
        parts = in_field("data.per_class", [&] {
            return chosen(std::move(parts), {.per_class = static_cast<std::size_t>(images.per_class)});
        });
    if (!strokes && images.first_images > 0)
        parts = in_field("data.first_images", [&] {
            return chosen(std::move(parts), {.first = static_cast<std::size_t>(images.first_images)});
        });
    if (images.validation_images > 0) {
        auto divided   = in_field("data.validation_images", [&] {
            return split_validation(parts.training, static_cast<std::size_t>(images.validation_images), split_seed);
        });
        parts.training = std::move(divided.training);
        parts.test     = std::move(divided.validation);
    }
    return parts;
}

std::shared_ptr<const SplitData> image_split(const DataSpec& data, std::uint64_t split_seed)
{
    struct Kept {
        Key key;
        std::weak_ptr<const SplitData> data;
    };
    static std::mutex mutex;         // held while loading: a second Study with these images waits for the first
    static std::vector<Kept> kept;   // that somebody still holds

    const Key wanted = key_of(data, split_seed);
    const std::lock_guard lock(mutex);
    std::erase_if(kept, [](const Kept& one) { return one.data.expired(); });
    for (const Kept& one : kept)
        if (auto there = one.data.lock(); there && one.key == wanted)
            return there;
    auto split = to_split(study_images(data, split_seed), data.images.pixels);
    if (data.images.validation_images > 0)
        split.test_name = "validation set";
    auto made = std::make_shared<const SplitData>(std::move(split));
    kept.push_back({wanted, made});
    return made;
}

}   // namespace credence
