// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/build_info.h"
#include "foundation/hashes.h"
#include "foundation/state_bytes.h"
#include "study/study.h"
#include "training/checkpoint.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// FOLDER/run.credence-progress, written atomically: eight letters, a hash of the rest of the file,
// and in StateBytes the head, the hashes of the pieces and the parts of the run.
// FOLDER/run.credence-progress-numbers-N, which grows: pieces of 64 KiB of unchanging numbers, the
// stored draws and snapshots. Pieces beyond those listed in the first file are unfinished. When
// most of this file is obsolete, the next one has another N.
namespace credence {

/// Identity of a run in progress.
struct CheckpointHead {
    Study study;
    StateHash data;        ///< hash_of_data
    std::string started;   ///< as in SavedRun
    long step = 0, steps = 0;
    Build build                       = this_build();   ///< computed the last steps
    std::vector<Build> earlier_builds = {};             ///< computed earlier steps, if different
};

/// The content of the first file.
struct CheckpointContent {
    CheckpointHead head;
    std::uint32_t generation = 0;    ///< N
    std::vector<StateHash> pieces;   ///< the pieces of the second file that belong to this state
    std::vector<Checkpoint::State> parts;
};

std::filesystem::path checkpoint_path(const std::filesystem::path& folder);
/// True if the first file exists and begins as Credence writes it; the rest can be damaged.
bool has_checkpoint(const std::filesystem::path& folder);
/// Reads the first file. @return  empty: there is none
/// @throws Error  "out/run.credence-progress: expected an interrupted run, but the file is
/// damaged."; also for another format
std::optional<CheckpointContent> read_checkpoint(const std::filesystem::path& folder);
/// Removes both files if they exist.
void remove_checkpoint(const std::filesystem::path& folder);

/// Both files during a run.
class CheckpointFiles final : public StateBytes::Pieces {
public:
    /// @param found  the run to resume; null: a new run. Writes nothing yet
    CheckpointFiles(std::filesystem::path folder, const CheckpointContent* found);

    std::uint32_t put(std::string_view bytes) override;
    void get(std::uint32_t number, std::span<char> bytes) override;

    /// Starts a pass. Discards pieces that no pass uses any more once there are many of them. Call
    /// it before the parts are saved.
    void begin_pass();
    /// The data to write since the previous pass.
    struct Pass {
        std::uint32_t generation = 0;
        std::size_t before       = 0;   ///< pieces already in the second file
        std::string fresh;              ///< bytes of the new pieces
        CheckpointContent content;
    };
    Pass end_pass(CheckpointHead head, std::vector<Checkpoint::State> parts);
    /// Discards the pieces of a pass that could not be written, so that the next pass writes them
    /// again.
    /// @param before  value of that pass
    void forget_from(std::size_t before);
    /// Writes a pass. Can run on any thread, one pass at a time. @throws Error that names the file
    static void write(const std::filesystem::path& folder, const Pass& pass);

    static constexpr std::size_t most_of_no_use = std::size_t{256} << 20;   ///< bytes

private:
    void next_generation();

    std::filesystem::path folder_;
    std::uint32_t generation_ = 0;
    std::vector<StateHash> pieces_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers_;
    std::size_t written_ = 0, used_ = 0;   // used: by the current pass
    std::string fresh_;
};

}   // namespace credence
