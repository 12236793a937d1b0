// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_sizes.h"
#include "command/fetch_report.h"
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

// The command line. It knows nothing of Qt, so that `credence list` starts at once; who calls it brings the drawing along.

/// Of a figure's file.
struct FigureSize {
    double widthMm = 120, heightMm = 90;
    int dpi       = 300;                       ///< of png
    double fontPt = credence::usual_font_pt;   ///< of letters, points
    bool title    = false;                     ///< above the picture
};

/// Draws a chart into one file; its suffix says how: pdf, svg or png. The file carries the Study. @throws credence::Error that names the file
using DrawFigure = std::function<void(const credence::Chart& chart, const credence::Study& study,
                                      const std::filesystem::path& file, const FigureSize& size)>;

/// The same for a chart that no Study made.
using DrawPlainFigure =
    std::function<void(const credence::Chart& chart, const std::filesystem::path& file, const FigureSize& size)>;

/// Brings a set of the catalogue into the user's data folder.
using FetchSet = std::function<FetchReport(const credence::CatalogueEntry& entry, std::stop_token stop,
                                           const std::function<void(const FetchProgress&)>& progress,
                                           const std::function<void(const std::string&)>& mirrorFailed)>;

/// The window, as it is called without a command.
struct WindowCommand {
    std::vector<std::string> files;   ///< to open: at most one
    std::string theme;                ///< "light" or "dark"; empty: as remembered
};

/// Opens the window on one picture and runs it to its end. @return  exit status
using ShowWindow = std::function<int(const credence::PictureLink& link)>;

/// Nothing can be drawn on this machine; numbers can be written.
class FiguresUnavailable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the command line borrows from Qt.
struct CommandTools {
    DrawFigure draw;
    DrawPlainFigure drawPlain;
    FetchSet fetch;
    std::function<credence::ImportTools()> import;   ///< without progress
    ShowWindow window;
    std::function<int(const WindowCommand& command)> openWindow;   ///< @return  exit status
};

/// Exit status, for every caller of the program.
enum ExitStatus { exitOk = 0, exitFailed = 1, exitBadInput = 2, exitCancelled = 130 };

/// Never throws: mistakes become one sentence on standard error and an exit status.
int runCommandLine(int argc, char** argv, const CommandTools& tools);
