// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/figure_files.h"

#include "cli/progress_line.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "sweeps/sweep_figures.h"

#include <algorithm>
#include <iostream>

using namespace credence;

namespace {

/// Legend entries of the panel that has most of them.
std::size_t legendLines(const Chart& chart)
{
    std::size_t most = 0;
    for (const Panel& panel : chart.panels) {
        if (!panel.legend)
            continue;
        std::size_t named = 0;
        for (const Series& series : panel.series)
            if (const auto* line = std::get_if<Line>(&series); line && !line->name.empty())
                ++named;
            else if (const auto* points = std::get_if<Points>(&series); points && !points->name.empty())
                ++named;
        most = std::max(most, named);
    }
    return most;
}

/// 60 mm per panel, plus legend and table below.
FigureSize sizeOfSweepChart(const Chart& chart)
{
    constexpr double panel = 60, line = 5;
    const int columns = std::max(2, chart.columns);
    const auto rows   = (chart.panels.size() + static_cast<std::size_t>(std::max(1, chart.columns)) - 1)
                      / static_cast<std::size_t>(std::max(1, chart.columns));
    const double legend = line * std::min(8.0, static_cast<double>(legendLines(chart)) / 2);
    const double table  = chart.table ? line * static_cast<double>(chart.table->rows.size() + 2) : 0;
    return {.widthMm  = panel * columns + 20,
            .heightMm = (panel + legend) * static_cast<double>(std::max<std::size_t>(1, rows)) + 20 + table};
}

}   // namespace

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

bool writeSweepFigures(const SweepResults& results, const SweepFolder& folder, int threads, const DrawPlainFigure& draw)
{
    Interrupt interrupt;
    WrittenSweepFigures written;
    {
        ProgressLine line;
        Threads own(threads);
        FigureWriter writer;
        if (draw)
            writer = [&](const Chart& chart, const std::filesystem::path& stem) {
                const Interrupt::Hold hold(interrupt);
                line.show("drawing " + stem.filename().string() + " …");
                for (const char* suffix : {".pdf", ".svg", ".png"})
                    draw(chart, stem.string() + suffix, sizeOfSweepChart(chart));
            };
        own.run([&] {
            const ProgressScope scope(shareOn(line, "figures"));
            written = write_sweep_figures(results, folder, writer, interrupt.token());
        });
    }
    for (const auto& [figure, sentence] : written.failed)
        std::cerr << "credence: " << figure << " is not drawn: " << sentence << '\n';
    return written.whole;
}
