// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/image_data.h"

#include "data/image_set.h"
#include "study/source.h"
#include "study/sources/shared_fields.h"

#include <mutex>
#include <vector>

namespace credence {
namespace {

/// The settings that these images depend on, and the modification time of the files.
struct Key {
    std::string source;
    std::vector<FieldValue> settings;
    std::uint64_t split_seed;
    std::filesystem::path place;
    std::filesystem::file_time_type changed;
    bool operator==(const Key&) const = default;
};

Key key_of(const DataSpec& data, std::uint64_t split_seed)
{
    const Source& source = source_of(data);
    Key key{data.source, {}, data.images.validation_images > 0 ? split_seed : 0, {}, {}};
    Study study;
    study.data = data;
    for (const Field& field : source.fields)
        key.settings.push_back(field.get(study));
    if (source.place) {
        key.place = source.place(data);
        std::error_code ignored;
        key.changed = std::filesystem::last_write_time(key.place, ignored);
    }
    return key;
}

}   // namespace

ImageData study_images(const DataSpec& data, std::uint64_t split_seed)
{
    ImageData parts = source_of(data).load_images(data);
    if (data.images.validation_images > 0) {
        auto divided     = in_field("data.validation_images", [&] {
            return split_validation(parts.training, static_cast<std::size_t>(data.images.validation_images),
                                        split_seed);
        });
        parts.training   = std::move(divided.training);
        parts.validation = std::move(divided.validation);
    }
    return parts;
}

std::shared_ptr<const SplitData> image_split(const DataSpec& data, std::uint64_t split_seed)
{
    struct CachedImages {
        Key key;
        std::weak_ptr<const SplitData> data;
    };
    static std::mutex mutex;                 // locked while loading, so that a second Study with these images waits
    static std::vector<CachedImages> kept;   // entries still in use

    const Key wanted = key_of(data, split_seed);
    const std::lock_guard lock(mutex);
    std::erase_if(kept, [](const CachedImages& one) { return one.data.expired(); });
    for (const CachedImages& one : kept)
        if (auto there = one.data.lock(); there && one.key == wanted)
            return there;
    auto made = std::make_shared<const SplitData>(to_split(study_images(data, split_seed), data.images.pixels));
    kept.push_back({wanted, made});
    return made;
}

}   // namespace credence
