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
#include "results/own_files.h"
#include "results/results.h"
#include "runs/archive.h"
#include "runs/film_frames.h"
#include "study/study_words.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

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
    bool each      = false;         ///< one figure per run instead of one for all
    bool overwrite = false;         ///< replace a file that Credence did not write
    int threads    = 0;
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

std::filesystem::path captionFileOf(const std::filesystem::path& figure, const std::string& kind)
{
    return figure.parent_path() / (figure.stem().string() + "_caption." + kind);
}

/// @throws credence::Error  if the figure or its caption would replace a file of the user
void requireOwnFigure(const std::filesystem::path& figure, const FigureCommand& command)
{
    require_own_figure(figure, command.overwrite);
    if (!command.caption.empty())
        require_own_figure(captionFileOf(figure, command.caption), command.overwrite);
}

/// Writes caption and settings next to a figure.
void writeCaption(const Chart& chart, const RunSnapshot& current, const std::filesystem::path& file,
                  const std::string& kind)
{
    const std::string stem = file.stem().string();
    const Table settings   = current.experiment->outputs ? Table{} : settings_table(current.experiment->study);
    write_whole(captionFileOf(file, kind),
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
        if (!command.each)
            requireOwnFigure(command.to, command);
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
        for (const auto& file : files)
            requireOwnFigure(file, command);
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
    app.add_flag("--overwrite", command->overwrite, "Replace figure and caption even if Credence did not write them");
    addValue(app, "--step", "N", command->step, "Use the recorded step nearest to this one (default: the last)");
    addThreads(app, command->threads);
    return [command, &tools] { return execute(*command, tools.draw, tools.drawPlain, tools.import); };
}

namespace {

/// credence film
struct FilmCommand : ViewChoice {
    std::string run;   ///< run.credence or its folder
    std::string to;    ///< new file or folder, see film_suffix
    std::optional<std::size_t> frames;
    std::optional<double> seconds;   ///< duration of all frames, without the hold of the last
    double fps = 10;                 ///< frames per second, unless `seconds` is given
    std::string size;                ///< "1280x720", pixels; empty: that of FilmStyle
    bool dark = false;
    std::optional<std::string> caption;   ///< start of each caption; empty: data and method
    int threads = 0;
};

/// @throws credence::Error for another suffix or an existing file
std::filesystem::path requireNewFile(const std::string& to)
{
    std::filesystem::path file = to;
    if (!file.has_filename())   // out/film/
        file = file.parent_path();
    film_suffix(file);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
        throw Error(file.string() + ": already exists, expected the name of a new file or folder.");
    return file;
}

FilmStyle styleOf(const FilmCommand& command)
{
    FilmStyle style{.dark = command.dark};
    if (command.size.empty())
        return style;
    const auto x      = command.size.find('x');
    const auto text   = std::string_view(command.size);
    const auto width  = number_from(text.substr(0, x));
    const auto height = x == text.npos ? std::nullopt : number_from(text.substr(x + 1));
    const auto within = [](const auto& pixels, int least, int most) {
        return pixels && *pixels == std::floor(*pixels) && *pixels >= least && *pixels <= most;
    };
    if (!within(width, 160, 3840) || !within(height, 90, 2160))
        throw Error("--size is \"" + command.size + "\", expected WIDTHxHEIGHT of 160x90 to 3840x2160 pixels.");
    style.width  = static_cast<int>(*width);
    style.height = static_cast<int>(*height);
    return style;
}

/// The duration of a frame, hundredths of a second.
int durationOf(const FilmCommand& command, std::size_t frames)
{
    const double seconds = command.seconds ? *command.seconds / static_cast<double>(frames) : 1 / command.fps;
    const auto duration  = static_cast<int>(std::lround(100 * seconds));
    if (duration < shortest_frame)
        throw Error("--seconds is " + plain_text(*command.seconds) + ", expected at least "
                    + plain_text(static_cast<double>(frames) * shortest_frame / 100) + " for " + std::to_string(frames)
                    + " frames, each shown for at least 0.02 s.");
    return duration;
}

struct FilmCancelled {};

/// @throws FilmCancelled once Ctrl+C was pressed: files begun so far are removed on the way out
void stopIfAsked(const Interrupt& interrupt)
{
    if (interrupt.requested())
        throw FilmCancelled();
}

/// Draws the charts of the frames. Steps at which the view has nothing to show, such as a chain
/// before its first draw, are left out with a note.
/// @throws credence::Error with the reason of the first if fewer than two remain
void makeCharts(Film& film, const FilmCommand& command, const SavedRun& run, const std::function<ImportTools()>& tools,
                ProgressLine& line, const Interrupt& interrupt)
{
    const View& wanted       = view(command.view);
    const auto last          = last_snapshot_of(run);
    const ViewOptions choice = optionsOf(command, wanted, last, tools);
    if (const auto sentence = wanted.why_not(*last.experiment))
        throw Error("The view " + wanted.id + " does not apply to " + run.study.name + ": " + *sentence);
    std::vector<std::pair<long, std::string>> leftOut;   // steps and reasons
    std::vector<FilmFrame> shown;
    for (std::size_t k = 0; k < film.frames.size(); ++k) {
        const FilmFrame& frame = film.frames[k];
        stopIfAsked(interrupt);
        line.show("computing frame " + std::to_string(k + 1) + " of " + std::to_string(film.frames.size()));
        const RunSnapshot current = snapshot_of(run, frame.snapshot, last.experiment);
        Chart chart;
        try {
            chart = makeChart(wanted, {&current, 1}, choice);
        } catch (const Error& error) {
            chart.message = error.what();
        }
        if (chart.message.empty()) {
            film.charts.push_back(std::move(chart));
            shown.push_back(frame);
        } else
            leftOut.emplace_back(current.snapshot->point.step, chart.message);
    }
    if (shown.size() < 2)
        throw Error(leftOut.front().second);
    line.wipe();
    if (!leftOut.empty())
        std::cerr << "credence: " << leftOut.size() << " of " << film.frames.size()
                  << " frames were left out, the first at step " << grouped_text(leftOut.front().first) << ": "
                  << leftOut.front().second << '\n';
    film.frames = std::move(shown);
}

int execute(const FilmCommand& command, const DrawFilm& draw, const std::function<ImportTools()>& tools)
{
    const auto file = requireNewFile(command.to);
    view(command.view);   // unknown views are reported before the run is loaded
    Film film;
    film.style = styleOf(command);
    if (holdsOutputs(command.run))
        throw Error(command.run + ": found imported predictions, expected a run with recorded steps.");
    ProgressLine line;
    const Interrupt interrupt;
    Threads threads(command.threads);
    const auto make = [&] {
        const SavedRun run  = load_run(fileOfRun(command.run));
        film.study          = run.study;
        film.frames         = film_frames(run.study, run.snapshots, command.frames, command.caption);
        film.style.duration = durationOf(command, film.frames.size());
        makeCharts(film, command, run, tools, line, interrupt);
        const std::size_t frames = film.frames.size();
        draw(std::move(film), file, [&](std::size_t drawn) {
            stopIfAsked(interrupt);
            line.show("drawing frame " + std::to_string(drawn) + " of " + std::to_string(frames));
        });
    };
    try {
        threads.run(make);
    } catch (const FilmCancelled&) {
        line.wipe();
        std::cerr << "credence: Cancelled; nothing was written.\n";
        return exitCancelled;
    }
    return exitOk;
}

}   // namespace

Action addFilm(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<FilmCommand>();
    app.add_option("RUN", command->run, "Run folder or run.credence")->required();
    addView(app, *command);
    addValue(app, "--to", "FILE", command->to,
             "New file: png (animated) or gif; or a new folder for a series of PNG files")
        ->required();
    addValue(app, "--frames", "N", command->frames,
             "Number of frames, evenly chosen from the recorded steps (default: all, at most 60)")
        ->check(CLI::Range(2, 1000));
    auto* seconds = addValue(app, "--seconds", "SECONDS", command->seconds,
                             "Duration of the film; the last frame is shown 2 seconds longer")
                        ->check(CLI::Range(0.1, 600.0));
    addValue(app, "--fps", "F", command->fps, "Frames per second, instead of --seconds (default: 10)")
        ->check(CLI::Range(0.1, 50.0))
        ->excludes(seconds);
    addValue(app, "--size", "WxH", command->size, "Width and height in pixels (default: 1280x720)");
    app.add_flag("--dark", command->dark, "Use light text on a dark background");
    addValue(app, "--caption", "TEXT", command->caption,
             "Start of the caption, followed by the step (default: data and method)");
    addViewChoice(app, *command);
    addThreads(app, command->threads);
    return [command, &tools] { return execute(*command, tools.drawFilm, tools.import); };
}
