// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds the figure options: --size, --dpi, --font-size, --title, --caption, --each.
void addFigurePageOptions(CLI::App& command, FigureCommand& figure);

/// Adds --size for a command that writes several figures: width and height in mm.
void addSizeInMm(CLI::App& command, std::optional<FigureSize>& size);

/// Returns the page given by --size, --font-size, --dpi and --title.
/// @throws credence::Error "--size is \"5x5\", expected WIDTHxHEIGHT of 10 to 2000 mm.", or the
///        sentence of figure_size_named
FigureSize pageOf(const FigureCommand& command);

/// Returns one distinct file name per run: TO prefixed with the run's name,
/// "out/two-moons_map.pdf".
std::vector<std::filesystem::path> fileOfEach(const std::filesystem::path& to, const std::vector<std::string>& names);
