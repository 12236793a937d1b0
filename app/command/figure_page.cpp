// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/figure_page.h"

#include "charts/figure_files.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"

#include <CLI/CLI.hpp>

#include <cmath>

using namespace credence;

void addFigurePageOptions(CLI::App& command, FigureCommand& figure)
{
    command
        .add_option("--size", figure.page,
                    "Width and height in mm, or a target: column (89x65), two_columns (183x100), slide (339x191, "
                    "large font) (default: 120x90)")
        ->type_name("WxH");
    command.add_option("--font-size", figure.fontPt, "Font size in points; lines scale with it (default: 8.25)")
        ->type_name("PT")
        ->check(CLI::Range(3.0, 100.0));
    command.add_flag("--title", figure.size.title, "Write the title above the figure");
    command.add_option("--dpi", figure.size.dpi, "Resolution of a PNG, dots per inch (default: 300)")
        ->type_name("N")
        ->check(CLI::Range(30, 2400));
    command
        .add_option("--caption", figure.caption,
                    "Write caption and all settings next to the figure, as text (txt) or LaTeX (tex)")
        ->type_name("txt|tex")
        ->check(CLI::IsMember({"txt", "tex"}));
    command.add_flag("--each", figure.each, "Draw one figure per run; file names start with the run's name");
}

void addSizeInMm(CLI::App& command, std::optional<FigureSize>& size)
{
    const auto take = [&size](const std::vector<double>& mm) {
        if (!std::isfinite(mm[0]) || !std::isfinite(mm[1]))
            throw CLI::ValidationError("--size", "expected two finite numbers of 10 to 2000 mm");
        size = FigureSize{mm[0], mm[1]};
    };
    command.add_option_function<std::vector<double>>("--size", take, "Width and height of the figures in mm")
        ->type_name("WxH")
        ->delimiter('x')
        ->expected(2)
        ->check(CLI::Range(10.0, 2000.0));
}

FigureSize pageOf(const FigureCommand& command)
{
    FigureSize size = command.size;
    if (const auto x = command.page.find('x'); x != std::string::npos) {
        const auto width  = number_from(std::string_view(command.page).substr(0, x));
        const auto height = number_from(std::string_view(command.page).substr(x + 1));
        if (!width || !height || !(*width >= 10 && *width <= 2000 && *height >= 10 && *height <= 2000))
            throw Error("--size is \"" + command.page + "\", expected WIDTHxHEIGHT of 10 to 2000 mm.");
        size.widthMm  = *width;
        size.heightMm = *height;
    } else if (!command.page.empty()) {
        const auto& named = figure_size_named(command.page);
        size.widthMm      = named.width_mm;
        size.heightMm     = named.height_mm;
        size.fontPt       = named.font_pt;
    }
    if (command.fontPt)
        size.fontPt = *command.fontPt;
    return size;
}

std::vector<std::filesystem::path> fileOfEach(const std::filesystem::path& to, const std::vector<std::string>& names)
{
    std::vector<std::filesystem::path> files;
    for (const auto& name : distinct_file_names(names))
        files.push_back(to.parent_path() / (name + "_" + to.filename().string()));
    return files;
}
