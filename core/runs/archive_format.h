// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

/// Not for use outside core/runs.
// The file: application id "Cred", user version 3, and two tables. Every value is compressed by
// zlib, whose checksum detects damaged bytes.
//   part(name, bytes, packed)              "run": JSON with name, study, report and layout, and for
//   a table from a file its state; "history": JSON
//                                          "provenance": JSON of the program that computed it and
//                                          the hashes of Study and data
//                                          "times": JSON of every wall time, if the start time is
//                                          known; everything else is the same in each run of a
//                                          Study
//                                          "score": JSON of the final score, once computed
//                                          additional data of the method for the last snapshot:
//                                          "curvature", "curvature_numbers"
//                                          "draws N/0", "draws N/1", …: the draws of snapshot N,
//                                          see archive_draws.h
//   snapshot(number, point, bytes, packed) point: JSON of the TrainingPoint, and "posterior", its
//   head, if the Study does not determine it;
//                                          packed: the posterior's numbers, float, little endian;
//                                          none for a set of draws, whose head has the number of
//                                          draws, and "part_of_last" if they are the first ones of
//                                          the last snapshot
// Version 2 stored the draws of each set in its snapshot; version 1 stored the times in the other
// parts.
namespace credence::archive_format {

inline constexpr int application_id = 0x43726564;
inline constexpr int format         = 3;

// As stored by SQLite: a file with any other table, view or trigger is not a Credence run.
inline constexpr std::string_view part_table =
    "CREATE TABLE part(name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, packed BLOB NOT NULL)";
inline constexpr std::string_view snapshot_table =
    "CREATE TABLE snapshot(number INTEGER PRIMARY KEY, point_bytes INTEGER NOT NULL, point BLOB NOT NULL, bytes "
    "INTEGER NOT NULL, packed BLOB NOT NULL)";
inline constexpr std::size_t most_text      = std::size_t{64} << 20;   // bytes of a JSON part
inline constexpr std::size_t most_numbers   = std::size_t{1} << 30;    // bytes of a posterior's numbers
inline constexpr std::size_t most_snapshots = 100'000;
inline constexpr std::size_t many_numbers   = std::size_t{8} << 20;   // bytes above which large pages are faster

}   // namespace credence::archive_format
