// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/view_choice.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "runs/archive.h"
#include "runs/film_frames.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace {

using namespace credence;

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
                             "Duration of the film; the last frame is shown for 2 more seconds")
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
