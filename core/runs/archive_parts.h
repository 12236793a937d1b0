// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/function_ref.h"
#include "posterior/curvature.h"
#include "posterior/sample_set.h"
#include "runs/archive.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
//                                          "prediction", "prediction_numbers": JSON of what
//                                          predictions at new rows need of a table, and its
//                                          calibration rows; see prediction_data.h
//                                          additional data of the method for the last snapshot:
//                                          "curvature", "curvature_numbers"
//                                          "draws N/0", "draws N/1", …: the draws of snapshot N,
//                                          see below
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

namespace credence {

/// Bytes as stored in an archive: in zlib's format, whose checksum detects damaged bytes.
struct Packed {
    std::size_t bytes = 0;   ///< before packing
    std::string data;
};

Packed pack(std::string_view plain);   ///< deflated
/// Packs numbers. Stores them uncompressed if compression would save less than an eighth, as for
/// sampled or trained weights; writing is then thirty times as fast, reading five times.
Packed pack_numbers(std::string_view plain);
std::string_view bytes_of(std::span<const float> numbers);

/// Refuses an impossible size before allocating memory for it: zlib expands one byte to at most
/// 1032.
/// @throws Error  "a part has an impossible size"
void require_possible_size(std::int64_t bytes, std::size_t packed, std::size_t most);
/// Unpacks into `plain`. @throws Error  "a part is damaged", unless it unpacks to exactly that many
/// bytes
void unpack_into(std::string_view packed, std::span<char> plain);
/// Unpacks data with the given unpacked size, at most `most` bytes. @throws Error as the two above
std::string unpack(std::int64_t bytes, std::string_view packed, std::size_t most);

}   // namespace credence

namespace SQLite {
class Database;
}

namespace credence {

// The draws of a set in an archive: parts "draws N/0", "draws N/1", … of snapshot N, one mebibyte
// each, the last with the rest. Sets of a growing chain are the first draws of the last set, and
// are stored once.

inline constexpr std::size_t most_bytes_of_draws = std::size_t{4} << 30;   ///< of one set

/// Returns for each snapshot whether its draws are the first draws of the last snapshot of the run.
/// False for the last itself.
std::vector<bool> parts_of_last(const SavedRun& run);

/// Writes the draws of snapshot `number`, calls written(bytes) after each piece of this many bytes.
/// @throws Error for more than `most_bytes_of_draws`
void write_draws(SQLite::Database& base, std::int64_t number, std::span<const float> draws,
                 function_ref<void(std::size_t bytes)> written);
/// Reads this many draws of this many weights. Checks every piece before allocating memory. @throws
/// Error that describes the mismatch
aligned_vector<float> read_draws(const SQLite::Database& base, std::int64_t number, std::size_t draws,
                                 std::size_t weights);

/// A curvature as stored in the archive: a small head, and all numbers consecutively as in memory
/// (little endian).
nlohmann::json curvature_head(const CurvatureData& data);
std::string curvature_numbers(const CurvatureData& data);

/// A head that matches a layout: kinds and counts of the numbers, before any of them is read.
struct CurvatureHead {
    CurvatureData data;               ///< without its numbers
    std::vector<std::size_t> sizes;   ///< of the arrays, in the order of storage

    std::size_t bytes() const;   ///< size of the numbers
};
/// @throws Error if head and layout do not match
CurvatureHead curvature_head_from(const nlohmann::json& head, const ParameterLayout& layout);

/// The same curvature, bit for bit. @throws Error for a wrong count, or an invalid number
CurvatureData curvature_from(CurvatureHead head, const std::string& numbers);

}   // namespace credence
