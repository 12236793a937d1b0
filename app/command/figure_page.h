// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// How the file of `credence figure` looks, and what is written beside it: --size, --dpi, --font-size, --title, --caption, --each.
void addFigurePageOptions(CLI::App& command, FigureCommand& figure);

/// --size of a command that writes several figures: their width and height in mm.
void addSizeInMm(CLI::App& command, std::optional<FigureSize>& size);

/// The page that --size, --font-size, --dpi and --title say.
/// @throws credence::Error "--size is \"5x5\", expected WIDTHxHEIGHT of 10 to 2000 mm.", or the sentence of figure_size_named
FigureSize pageOf(const FigureCommand& command);

/// Of several runs the file of each: TO with the run's name before its own, "out/two-moons_map.pdf"; no two alike.
std::vector<std::filesystem::path> fileOfEach(const std::filesystem::path& to, const std::vector<std::string>& names);
