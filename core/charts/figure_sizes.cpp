// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_sizes.h"

#include "foundation/error.h"

namespace credence {

const std::vector<NamedFigureSize>& figure_sizes()
{
    static const std::vector<NamedFigureSize> sizes{{"column", "One column", 89, 65, 8},
                                                    {"two_columns", "Two columns", 183, 100, 8},
                                                    {"slide", "Slide (16:9)", 339, 191, 20}};
    return sizes;
}

const NamedFigureSize& figure_size_named(const std::string& id)
{
    std::string ids;
    for (const auto& size : figure_sizes()) {
        if (size.id == id)
            return size;
        ids += (ids.empty() ? "" : ", ") + size.id;
    }
    throw Error("--size is \"" + id + "\", expected WIDTHxHEIGHT in mm, such as 120x90, or one of " + ids + ".");
}

}   // namespace credence
