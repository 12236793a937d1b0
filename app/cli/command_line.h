// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_files.h"
#include "cli/progress_line.h"
#include "results/picture_link.h"
#include "sources/catalogue.h"
#include "sources/image_import.h"
#include "study/study.h"

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

// The command line. It does not depend on Qt, so that `credence list` starts at once; the caller
// supplies the drawing functions.

/// Size and style of a figure file.
struct FigureSize {
    double widthMm = 120, heightMm = 90;
    int dpi       = 300;                       ///< for PNG
    double fontPt = credence::usual_font_pt;   ///< font size, points
    bool title    = false;                     ///< draw the title above the figure
};

/// Draws a chart to a file; the suffix selects pdf, svg or png. The file carries the Study. @throws
/// credence::Error that names the file
using DrawFigure = std::function<void(const credence::Chart& chart, const credence::Study& study,
                                      const std::filesystem::path& file, const FigureSize& size)>;

/// The same for a chart without a Study.
using DrawPlainFigure =
    std::function<void(const credence::Chart& chart, const std::filesystem::path& file, const FigureSize& size)>;

/// The frames of a film; its PNG files carry the Study.
struct Film {
    std::vector<credence::Chart> charts;
    std::vector<credence::FilmFrame> frames;   ///< one per chart
    credence::FilmStyle style;
    credence::Study study;
};

/// Draws a film to a new file or folder; the suffix selects the format, see film_suffix. @param drawn
/// called after each frame @throws credence::Error that names the file
using DrawFilm = std::function<void(Film film, const std::filesystem::path& file,
                                    const std::function<void(std::size_t frames)>& drawn)>;

/// Downloads a catalogue data set to the user's data folder.
using FetchSet = std::function<FetchReport(const credence::CatalogueEntry& entry, std::stop_token stop,
                                           const std::function<void(const FetchProgress&)>& progress,
                                           const std::function<void(const std::string&)>& mirrorFailed)>;

/// The window, opened without a command.
struct WindowCommand {
    std::vector<std::string> files;   ///< file to open: at most one
    std::string theme;                ///< "light" or "dark"; empty: last used
};

/// Opens the window on one view and runs it until it is closed. @return  exit status
using ShowWindow = std::function<int(const credence::PictureLink& link)>;

/// Figures cannot be drawn on this machine; numbers can still be written.
class FiguresUnavailable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Functions that the command line borrows from Qt.
struct CommandTools {
    DrawFigure draw;
    DrawPlainFigure drawPlain;
    DrawFilm drawFilm;
    FetchSet fetch;
    std::function<credence::ImportTools()> import;   ///< without progress
    ShowWindow window;
    std::function<int(const WindowCommand& command)> openWindow;   ///< @return  exit status
};

/// Exit status of the program.
enum ExitStatus { exitOk = 0, exitFailed = 1, exitBadInput = 2, exitCancelled = 130 };

/// Never throws: errors become one sentence on standard error and an exit status.
int runCommandLine(int argc, char** argv, const CommandTools& tools);
