// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/build_info.h"
#include "foundation/state_bytes.h"
#include "study/study.h"
#include "training/checkpoint.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Not for use outside core/runs, but for its tests.
// FOLDER/run.credence-progress, written whole or not at all: eight letters, a hash of all that follows, and in StateBytes the head, the hashes of the pieces and the parts of the run.
// FOLDER/run.credence-progress-numbers-N, which grows: pieces of 64 KiB of numbers that stay as they are, the draws and snapshots that are kept. What stands behind the pieces that the
// first file names was not finished. When most of it is of no more use, the next file has another N.
namespace credence {

/// What a run in progress is.
struct CheckpointHead {
    Study study;
    StateHash data;        ///< hash_of_data
    std::string started;   ///< as KeptRun has it
    long step = 0, steps = 0;
    Build build                       = this_build();   ///< that computed the last steps
    std::vector<Build> earlier_builds = {};             ///< of the steps before, if others did
};

/// The content of the first file.
struct CheckpointContent {
    CheckpointHead head;
    std::uint32_t generation = 0;    ///< N
    std::vector<StateHash> pieces;   ///< of the second file
    std::vector<Checkpoint::State> parts;
};

std::filesystem::path checkpoint_path(const std::filesystem::path& folder);
/// Reads the first file. @return  empty: there is none
/// @throws Error  "out/run.credence-progress: expected an interrupted run, but the file is damaged."; also of another format
std::optional<CheckpointContent> read_checkpoint(const std::filesystem::path& folder);
/// Removes both files, if they are there.
void remove_checkpoint(const std::filesystem::path& folder);

/// Both files while a run goes on.
class CheckpointFiles final : public StateBytes::Pieces {
public:
    /// @param found  the run that goes on; null: it begins. Nothing is written yet
    CheckpointFiles(std::filesystem::path folder, const CheckpointContent* found);

    std::uint32_t put(std::string_view bytes) override;
    void get(std::uint32_t number, std::span<char> bytes) override;

    /// Begins a pass: pieces that no pass wants any more are left behind, once they are many. Before the parts are saved.
    void begin_pass();
    /// Takes what is to be written, since the pass before.
    struct Pass {
        std::uint32_t generation = 0;
        std::size_t before       = 0;   ///< pieces that the second file has already
        std::string fresh;              ///< bytes of those behind them
        CheckpointContent content;
    };
    Pass end_pass(CheckpointHead head, std::vector<Checkpoint::State> parts);
    /// Forgets the pieces of a pass that could not be written, so that the next one writes them. @param before  of that pass
    void forget_from(std::size_t before);
    /// Writes it. On any thread, one pass after the other. @throws Error that names the file
    static void write(const std::filesystem::path& folder, const Pass& pass);

    static constexpr std::size_t most_of_no_use = std::size_t{256} << 20;   ///< bytes

private:
    void next_generation();

    std::filesystem::path folder_;
    std::uint32_t generation_ = 0;
    std::vector<StateHash> pieces_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers_;
    std::size_t written_ = 0, used_ = 0;   // used: by the pass of now
    std::string fresh_;
};

}   // namespace credence
