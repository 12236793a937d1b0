// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/figure_files.h"

#include "foundation/files.h"

using namespace credence;

void writeFigures(const Chart& chart, const std::filesystem::path& folder, const DrawPlainFigure& draw,
                  const FigureSize& size)
{
    const auto stem = folder / chart.id;
    write_whole(stem.string() + ".csv", to_csv(data_table(chart), chart.caption));
    write_whole(stem.string() + ".tex", to_latex(chart));
    for (const char* suffix : {".pdf", ".svg", ".png"})
        if (draw)
            draw(chart, stem.string() + suffix, size);
}
