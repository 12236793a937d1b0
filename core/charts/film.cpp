// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/film.h"

#include "foundation/error.h"
#include "foundation/text.h"

#include <algorithm>
#include <cctype>

namespace credence {

std::string film_suffix(const std::filesystem::path& file)
{
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    if (suffix == std::string(".") + film_folder_suffix)
        return {};
    if (!suffix.empty() && suffix != ".png" && suffix != ".gif")
        throw Error(file.string() + ": the suffix is \"" + one_line(file.extension().string(), 20)
                    + "\", expected .png (animated), .gif, or the name of a new folder without suffix.");
    return suffix;
}

}   // namespace credence
