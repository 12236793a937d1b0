// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace credence {

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
