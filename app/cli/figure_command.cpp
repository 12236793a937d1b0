// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/figure_files.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/progress_line.h"
#include "cli/view_choice.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "outputs/outputs_file.h"
#include "results/results.h"
#include "runs/archive.h"
#include "study/settings_table.h"
#include "views/view_support.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

namespace {

using namespace credence;

/// credence figure
struct FigureCommand : ViewChoice {
    std::vector<std::string>
        runs;         ///< run.credence, its folder, or imported predictions; several are compared in one figure
    std::string to;   ///< file; the suffix selects pdf, svg, png, csv or tex
    long step = -1;   ///< nearest recorded step; -1: the last
    FigureSize size;
    std::string page;               ///< "240x140" in mm, "column", …; empty: that of `size`
    std::optional<double> fontPt;   ///< font size, points; empty: that of the page
    std::string caption;            ///< format of a separate file with caption and settings: "txt", "tex"; empty: none
    bool each   = false;            ///< one figure per run instead of one for all
    int threads = 0;
};

std::size_t snapshotNearest(const SavedRun& run, long step)
{
    if (run.snapshots.empty() || step < 0)
        return run.snapshots.empty() ? 0 : run.snapshots.size() - 1;
    const auto distance = [&](const auto& snapshot) { return std::labs(snapshot->point.step - step); };
    const auto nearest  = std::min_element(run.snapshots.begin(), run.snapshots.end(),
                                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    return static_cast<std::size_t>(nearest - run.snapshots.begin());
}

RunSnapshot loadSnapshot(const std::filesystem::path& file, long step)
{
    if (holdsOutputs(file))
        return snapshot_of_outputs(open_outputs(file).value());
    const SavedRun run = load_run(fileOfRun(file));
    return snapshot_of(run, snapshotNearest(run, step));
}

/// Writes caption and settings next to a figure.
void writeCaption(const Chart& chart, const RunSnapshot& current, const std::filesystem::path& file,
                  const std::string& kind)
{
    const std::string stem  = file.stem().string();
    const auto caption_file = file.parent_path() / (stem + "_caption." + kind);
    const Table settings    = current.experiment->outputs ? Table{} : settings_table(current.experiment->study);
    write_whole(caption_file,
                kind == "txt" ? caption_as_text(chart, settings) : caption_as_latex(chart, settings, stem));
}

/// Includes the Study; imported predictions have none.
void writeFigure(const Chart& chart, const RunSnapshot& current, const std::filesystem::path& file,
                 const FigureSize& size, const DrawFigure& draw, const DrawPlainFigure& drawPlain)
{
    const std::string suffix = file.extension().string();
    const bool ours          = !current.experiment->outputs;
    const Study& study       = current.experiment->study;
    const auto comments      = [&] { return ours ? study_comments(study) : view_support::setting_of(current); };
    if (suffix == ".csv")
        write_whole(file, to_csv(data_table(chart), comments()));
    else if (suffix == ".tex")
        write_whole(file, to_latex(chart, comments()));
    else if ((suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && ours && draw)
        draw(chart, study, file, size);
    else if ((suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && !ours && drawPlain)
        drawPlain(chart, file, size);
    else
        throw Error(file.string() + ": the suffix is \"" + suffix + "\", expected .pdf, .svg, .png, .csv or .tex.");
}

std::vector<std::string> namesOf(const std::vector<RunSnapshot>& snapshots)
{
    std::vector<std::string> names;
    names.reserve(snapshots.size());
    for (const auto& current : snapshots)
        names.push_back(current.experiment->study.name);
    return names;
}

/// Returns the page given by --size, --font-size, --dpi and --title.
/// @throws credence::Error "--size is \"5x5\", expected WIDTHxHEIGHT of 10 to 2000 mm.", or the
///        sentence of figure_size_named
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

/// Returns one distinct file name per run: TO prefixed with the run's name,
/// "out/two-moons_map.pdf".
std::vector<std::filesystem::path> fileOfEach(const std::filesystem::path& to, const std::vector<std::string>& names)
{
    std::vector<std::filesystem::path> files;
    for (const auto& name : distinct_file_names(names))
        files.push_back(to.parent_path() / (name + "_" + to.filename().string()));
    return files;
}

/// @param tools  reads images; called only if the selected input is one
int execute(const FigureCommand& command, const DrawFigure& draw, const DrawPlainFigure& drawPlain,
            const std::function<ImportTools()>& tools)
{
    const View& wanted    = view(command.view);
    const FigureSize size = pageOf(command);
    ProgressLine line;
    Threads threads(command.threads);
    threads.run([&] {
        const ProgressScope scope(shareOn(line, "computing"));
        std::vector<RunSnapshot> snapshots;
        for (const auto& run : command.runs)
            snapshots.push_back(loadSnapshot(run, command.step));
        const ViewOptions options = optionsOf(command, wanted, snapshots.front(), tools);
        const auto write          = [&](std::span<const RunSnapshot> drawn, const std::filesystem::path& file) {
            const Chart chart = makeChart(wanted, drawn, options);
            if (!chart.message.empty())
                throw Error(chart.message);
            writeFigure(chart, drawn.front(), file, size, draw, drawPlain);
            if (!command.caption.empty())
                writeCaption(chart, drawn.front(), file, command.caption);
        };
        if (!command.each)
            return write(snapshots, command.to);
        const auto files = fileOfEach(command.to, namesOf(snapshots));
        for (std::size_t r = 0; r < snapshots.size(); ++r)
            write(std::span(snapshots).subspan(r, 1), files[r]);
    });
    return exitOk;
}

void addPage(CLI::App& app, FigureCommand& figure)
{
    addValue(app, "--size", "WxH", figure.page,
             "Width and height in mm, or a target: column (89x65), two_columns (183x100), slide (339x191, "
             "large font) (default: 120x90)");
    addValue(app, "--font-size", "PT", figure.fontPt, "Font size in points; lines scale with it (default: 8.25)")
        ->check(CLI::Range(3.0, 100.0));
    app.add_flag("--title", figure.size.title, "Write the title above the figure");
    addValue(app, "--dpi", "N", figure.size.dpi, "Resolution of a PNG, dots per inch (default: 300)")
        ->check(CLI::Range(30, 2400));
    addValue(app, "--caption", "txt|tex", figure.caption,
             "Write caption and all settings next to the figure, as text (txt) or LaTeX (tex)")
        ->check(CLI::IsMember({"txt", "tex"}));
    app.add_flag("--each", figure.each, "Draw one figure per run; file names start with the run's name");
}

}   // namespace

Action addFigure(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<FigureCommand>();
    app.add_option(
           "RUN", command->runs,
           "Run folder, run.credence, or predictions as accepted by open; several for a view that compares runs, "
           "such as decision_map or compare_truth")
        ->required();
    addView(app, *command);
    addValue(app, "--to", "FILE", command->to, "File to write: pdf, svg, png, csv or tex")->required();
    addViewChoice(app, *command);
    addPage(app, *command);
    addValue(app, "--step", "N", command->step, "Use the recorded step nearest to this one (default: the last)");
    addThreads(app, command->threads);
    return [command, &tools] { return execute(*command, tools.draw, tools.drawPlain, tools.import); };
}
