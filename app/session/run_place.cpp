// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_place.h"

#include "session/settings.h"

#include "foundation/error.h"
#include "runs/checkpoint_file.h"

#include <algorithm>
#include <vector>

using namespace credence;
namespace fs = std::filesystem;

namespace {

constexpr int mostPlaces = 1000;

fs::path folderOfPlaces() { return runsInProgressFolder().toStdString(); }

}   // namespace

std::unique_ptr<RunPlace> RunPlace::free()
{
    for (int number = 1; number <= mostPlaces; ++number) {
        const fs::path folder = folderOfPlaces() / std::to_string(number);
        std::error_code code;
        if (fs::exists(checkpoint_path(folder), code))
            continue;
        try {
            auto place = std::make_unique<RunPlace>(folder);
            if (!fs::exists(checkpoint_path(folder), code))   // it may have come until it was taken
                return place;
        } catch (const Error&) {
            if (!fs::exists(folder, code))
                return nullptr;   // else another window's
        }
    }
    return nullptr;
}

std::optional<RunPlace::Found> RunPlace::interrupted()
{
    std::vector<std::pair<fs::file_time_type, fs::path>> all;
    std::error_code code;
    for (fs::directory_iterator entry(folderOfPlaces(), code), end; !code && entry != end; entry.increment(code)) {
        std::error_code none;
        const auto time = fs::last_write_time(checkpoint_path(entry->path()), none);
        if (!none)
            all.emplace_back(time, entry->path());
    }
    std::sort(all.rbegin(), all.rend());
    for (const auto& [time, folder] : all) {
        try {
            auto place = std::make_unique<RunPlace>(folder);
            try {
                if (auto run = interrupted_run(folder))
                    return Found{std::move(place), std::move(*run)};
            } catch (const Error&) {
                place->clear();
            }
        } catch (const Error&) {   // another window's
        }
    }
    return {};
}

void RunPlace::clear()
{
    remove_checkpoint(path());
    std::error_code notEmpty;
    fs::remove(path(), notEmpty);
}
