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
    failed,   ///< retried when the sweep is run again
};
struct CellStatus {
    CellState state                      = CellState::waiting;
    std::string sentence                 = {};   ///< failed: the error
    std::optional<Provenance> provenance = {};   ///< done: program that computed it
};
const char* name_of(CellState state);   ///< "waiting", "running", "done", "failed"

/// The exclusive right to run one cell, across processes and jobs, for as long as the object lives.
/// Released whenever the process ends.
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

/// Storage of a sweep's cells: OUT/sweep.json and for each cell OUT/cells/HASH/ with study.json,
/// run.credence (if saved), data/<view>.csv of the selected views and, finally, results.json. A
/// cell is done when results.json is complete and its provenance has the hash of the cell's Study.
/// Any number of processes can share a folder.
class SweepFolder {
public:
    /// Opens a folder, which need not exist yet. Writes nothing.
    explicit SweepFolder(std::filesystem::path folder);
    /// Creates it and writes sweep.json. @throws Error "out/a: the folder cannot be created (…)."
    void begin(const Sweep& sweep) const;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path cell(const std::string& hash) const;   ///< OUT/cells/HASH
    /// Reads the state of a cell: one or two small files.
    CellStatus status(const std::string& hash) const;
    /// Claims a cell and creates its folder. Empty: another process or job runs it. The state may
    /// have changed meanwhile: check it again.
    std::unique_ptr<CellClaim> claim(const std::string& hash) const;
    /// Stores the error of a failed cell, until results.json exists.
    void fail(const std::string& hash, const std::string& sentence) const;
    void forget_failure(const std::string& hash) const;

private:
    std::filesystem::path path_;
};

}   // namespace credence
