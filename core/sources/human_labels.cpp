// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/human_labels.h"

#include "data/number_array.h"
#include "formats/npy.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "sources/image_sources.h"

#include <cmath>
#include <mutex>

namespace credence {

std::optional<std::filesystem::path> human_labels_file()
{
    for (const auto& folder : data_folders())
        if (is_file(folder / human_labels_file_name))
            return folder / human_labels_file_name;
    return {};
}

HumanLabels read_human_labels(const std::filesystem::path& file)
{
    const NumberArray counts = read_npy(file);
    const std::string name   = file.filename().string();
    if (counts.shape.size() != 2 || counts.shape[0] == 0 || counts.shape[1] < 2)
        throw Error(name + ": found " + shape_text(counts.shape)
                    + " numbers, expected images × classes with at least 2 classes.");
    HumanLabels labels{.n = counts.shape[0], .n_classes = counts.shape[1]};
    labels.shares.reserve(counts.size());
    for (std::size_t i = 0; i < labels.n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < labels.n_classes; ++k) {
            const double count = counts.at(i * labels.n_classes + k);
            if (!(count >= 0) || !std::isfinite(count))
                throw Error(name + ": found " + number_text(count, 6) + " in row " + std::to_string(i)
                            + ", expected the number of answers, at least 0.");
            labels.shares.push_back(count);
            sum += count;
        }
        if (sum == 0)
            throw Error(name + ": row " + std::to_string(i) + " has no answers, expected at least one.");
        for (std::size_t k = 0; k < labels.n_classes; ++k)
            labels.shares[i * labels.n_classes + k] /= sum;
    }
    return labels;
}

std::shared_ptr<const HumanLabels> human_labels()
{
    static std::mutex mutex;
    static std::filesystem::path known;
    static std::filesystem::file_time_type changed;
    static std::shared_ptr<const HumanLabels> labels;

    const auto file = human_labels_file();
    if (!file)
        return nullptr;
    std::error_code ignored;
    const auto now = std::filesystem::last_write_time(*file, ignored);
    const std::lock_guard lock(mutex);
    if (!labels || known != *file || changed != now) {
        labels  = std::make_shared<const HumanLabels>(read_human_labels(*file));
        known   = *file;
        changed = now;
    }
    return labels;
}

std::string where_to_get_human_labels()
{
    return "Save data/cifar10h-counts.npy of github.com/jcpeterson/cifar-10h as "
           + (data_folders().front() / human_labels_file_name).string() + ".";
}

}   // namespace credence
