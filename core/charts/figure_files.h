// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

inline constexpr double usual_font_pt = 8.25;   ///< text size of a figure, points

/// A common page format for figures: column widths of most journals, and a slide.
struct NamedFigureSize {
    std::string id;      ///< "column" (command line: --size column)
    std::string title;   ///< "One column"
    double width_mm = 0, height_mm = 0;
    double font_pt = usual_font_pt;   ///< a readable text size
};

/// All of them, narrowest first.
const std::vector<NamedFigureSize>& figure_sizes();
/// @throws Error "--size is \"poster\", expected WIDTHxHEIGHT in mm, such as 120x90, or one of
/// column, two_columns, slide."
const NamedFigureSize& figure_size_named(std::string_view id);

// The text file next to a figure: a description, and all settings that produced it.

/// The marks by which a caption of Credence is recognised before it is replaced.
inline constexpr const char* text_caption_end    = "\nWritten by Credence.\n";
inline constexpr const char* latex_caption_begin = "% \\input this file inside the figure, after \\includegraphics.\n";

/// Writes title, caption and, one per line, the settings: "Learning rate η: 0.001", "Steps: 5000
/// steps". Ends with text_caption_end.
/// @param settings  columns setting, value, unit; without rows the settings are omitted
std::string caption_as_text(const Chart& chart, const Table& settings);

/// Writes \caption and \label, to be read by \input inside a figure, and after them the settings as
/// a table in comments.
/// @param label  follows "fig:", "two_moons_decision_map"
std::string caption_as_latex(const Chart& chart, const Table& settings, const std::string& label);

/// Comment lines that enclose a Study at the head of a CSV or LaTeX file, for its writers and
/// readers.
inline constexpr const char* study_begin_mark = "credence-study begin";
inline constexpr const char* study_end_mark   = "credence-study end";
/// The line that identifies a longer Study by its study_hash instead of its text.
inline constexpr const char* study_hash_mark           = "credence-study hash ";
inline constexpr std::size_t longest_study_in_comments = 100'000;   // bytes

/// Returns the comments of a file about this Study: the Study between its marks, or its hash if it
/// is too long.
/// @param study_json  ends with a line break; empty: no comment
std::string study_comments_of(std::string_view study_json);

/// One frame of a film of a run: a view at one recorded step.
struct FilmFrame {
    std::size_t snapshot = 0;   ///< index of the recorded step
    std::string caption{};      ///< "Two moons · mean field · step 1,200 of 10,000"
    double share = 0;           ///< of training up to the last recorded step, [0, 1]
};

/// Size, colours and pace of a film.
struct FilmStyle {
    int width = 1280, height = 720;                    ///< pixels
    bool dark                               = false;   ///< light on dark, for dark slides
    int duration                            = 10;      ///< of a frame, hundredths of a second (the unit of GIF)
    int hold                                = 200;   ///< additional duration of the last frame, hundredths of a second
    bool operator==(const FilmStyle&) const = default;
};

inline constexpr int shortest_frame = 2;   ///< hundredths of a second; players show shorter ones ten times as long

/// A folder of frames can have this suffix, so that its name differs from those of files.
inline constexpr const char* film_folder_suffix = "frames";

/// Returns the lower-case suffix of a film: ".png" (animated), ".gif", or empty for a new folder.
/// @throws Error  "film.mp4: the suffix is ".mp4", expected .png (animated), .gif, or the name of a
///                new folder without suffix."
std::string film_suffix(const std::filesystem::path& file);

}   // namespace credence
