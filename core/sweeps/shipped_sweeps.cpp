// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "sweeps/sweep.h"

namespace credence {

std::vector<std::pair<std::string, std::string>> sweep_texts();   // compiled in by cmake/EmbedTexts.cmake

const std::vector<Sweep>& sweeps()
{
    static const std::vector<Sweep> list = [] {
        std::vector<Sweep> made;
        for (const auto& [id, text] : sweep_texts()) {
            made.push_back(sweep_from_text(text, id + ".json", {}));
            made.back().id = id;
        }
        return made;
    }();
    return list;
}

const Sweep& shipped_sweep(const std::string& id)
{
    if (const auto* found = find_listed(sweeps(), id))
        return *found;
    throw Error("There is no sweep \"" + id + "\", expected a file or one of " + listed_ids(sweeps()) + ".");
}

Sweep find_sweep(const std::string& name)
{
    std::error_code ignored;
    if (const std::filesystem::path folder = name; std::filesystem::is_regular_file(folder / "sweep.json", ignored)) {
        Sweep sweep = load_sweep(folder / "sweep.json");
        sweep.id    = std::filesystem::absolute(folder / "x").lexically_normal().parent_path().filename().string();
        return sweep;
    }
    const bool path = name.find('/') != std::string::npos || name.ends_with(".json")
                      || std::filesystem::is_regular_file(name, ignored);
    return path ? load_sweep(name) : shipped_sweep(name);
}

}   // namespace credence
