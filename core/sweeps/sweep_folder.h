// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/provenance.h"
#include "sweeps/sweep.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace credence {

enum class CellState {
    waiting,
    running,   ///< here or in another process
    done,
    failed,   ///< is tried again when the sweep is run again
};
struct CellStatus {
    CellState state                      = CellState::waiting;
    std::string sentence                 = {};   ///< failed: why
    std::optional<Provenance> provenance = {};   ///< done: by which program
};
const char* name_of(CellState state);   ///< "waiting", "running", "done", "failed"

/// The right to run one cell: no other process, and no other job of this one, has it while this lives. It goes with the process, however it ends.
class CellClaim {
public:
    ~CellClaim();
    CellClaim(const CellClaim&)            = delete;
    CellClaim& operator=(const CellClaim&) = delete;

private:
    friend class SweepFolder;
    CellClaim(std::filesystem::path file, int handle);
    std::filesystem::path file_;
    int handle_;
};

/// Where a sweep's cells lie: OUT/sweep.json and for each cell OUT/cells/HASH/ with study.json, run.credence (if it is kept), data/<view>.csv of kept views and, at the end,
/// results.json: a cell is done when that is whole and its provenance names the cell's Study. Any number of processes share one folder.
class SweepFolder {
public:
    /// Looks at a folder, which need not be there yet. Writes nothing.
    explicit SweepFolder(std::filesystem::path folder);
    /// Makes it and writes sweep.json. @throws Error "out/a: the folder cannot be made (…)."
    void begin(const Sweep& sweep) const;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path cell(const std::string& hash) const;   ///< OUT/cells/HASH
    /// Reads what lies there: one or two small files a cell.
    CellStatus status(const std::string& hash) const;
    /// Empty: another one runs it. Makes the cell's folder. The state may have changed until then: ask for it again.
    std::unique_ptr<CellClaim> claim(const std::string& hash) const;
    /// Keeps why it failed; results.json, when it comes, takes this away.
    void fail(const std::string& hash, const std::string& sentence) const;
    void forget_failure(const std::string& hash) const;

private:
    std::filesystem::path path_;
};

}   // namespace credence
