// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_folder.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <unistd.h>

namespace credence {
namespace {

namespace fs = std::filesystem;

/// The claims of this process. They are checked before the file: on file systems with one lock per
/// process, opening the file again would release the lock.
struct OwnClaims {
    std::mutex mutex;
    std::set<fs::path> files;
};
OwnClaims& own_claims()
{
    static OwnClaims claims;
    return claims;
}

void make_whole_folder(const fs::path& folder)
{
    std::error_code code;
    fs::create_directories(folder, code);
    if (code || !fs::is_directory(folder))
        throw Error(folder.string() + ": the folder cannot be created ("
                    + (code ? code.message() : "there is a file of this name") + ").");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw Error(folder.string() + ": nothing can be written there (" + system_reason(errno) + ").");
}

/// True if another process runs this cell. Always false on file systems without locks.
bool is_locked_elsewhere(const fs::path& file)
{
    const int handle = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (handle < 0)
        return false;
    const bool locked = ::flock(handle, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(handle);
    return locked;
}

/// The content of a JSON file; empty: no such file, or not JSON.
std::optional<nlohmann::json> json_in(const fs::path& file)
{
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored))
        return {};
    try {
        return parse_json(read_file(file, "results of a cell"), file.string(), "results of a cell");
    } catch (const Error&) {   // it is computed again
        return {};
    }
}

/// Empty: results of an older version or another program.
std::optional<Provenance> provenance_in(const nlohmann::json& results)
{
    try {
        if (results.is_object())
            if (const auto found = results.find("provenance"); found != results.end())
                return provenance_from(*found);
    } catch (const Error&) {   // the cell is computed again
    }
    return {};
}

constexpr auto claim_name = ".claim", failure_name = "failed.json", results_name = "results.json";

}   // namespace

const char* name_of(CellState state)
{
    switch (state) {
    case CellState::waiting: return "waiting";
    case CellState::running: return "running";
    case CellState::done: return "done";
    case CellState::failed: return "failed";
    }
    return "";
}

CellClaim::CellClaim(fs::path file, int handle) : file_(std::move(file)), handle_(handle) {}

CellClaim::~CellClaim()
{
    auto& own = own_claims();
    const std::lock_guard lock(own.mutex);
    own.files.erase(file_);
    if (handle_ >= 0)
        ::close(handle_);   // also releases the lock
}

SweepFolder::SweepFolder(fs::path folder) : path_(std::move(folder)) {}

void SweepFolder::begin(const Sweep& sweep) const
{
    make_whole_folder(path_ / "cells");
    Sweep named = sweep;
    named.title = shown_title(sweep);   // in this file the id is "sweep"
    save_sweep(named, path_ / "sweep.json");
}

fs::path SweepFolder::cell(const std::string& hash) const { return path_ / "cells" / hash; }

CellStatus SweepFolder::status(const std::string& hash) const
{
    const auto place = cell(hash);
    if (const auto results = json_in(place / results_name))
        if (auto provenance = provenance_in(*results); provenance && provenance->study_hash == hash)
            return {CellState::done, {}, std::move(provenance)};
    const auto claim_file = place / claim_name;
    auto& own             = own_claims();
    {
        const std::lock_guard lock(own.mutex);
        if (own.files.count(claim_file) > 0 || is_locked_elsewhere(claim_file))
            return {CellState::running};
    }
    if (const auto failure = json_in(place / failure_name); failure && failure->is_object()) {
        const auto text = failure->find("sentence");
        return {CellState::failed,
                text != failure->end() && text->is_string() ? text->get<std::string>() : "It failed."};
    }
    return {CellState::waiting};
}

std::unique_ptr<CellClaim> SweepFolder::claim(const std::string& hash) const
{
    const auto place = cell(hash);
    make_whole_folder(place);
    const auto file = place / claim_name;
    auto& own       = own_claims();
    const std::lock_guard lock(own.mutex);
    if (own.files.count(file) > 0)
        return nullptr;
    const int handle = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (handle < 0)
        refuse_to_write(file, errno);
    if (::flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {   // without lock support, no lock is needed
        ::close(handle);
        return nullptr;
    }
    own.files.insert(file);
    return std::unique_ptr<CellClaim>(new CellClaim(file, handle));
}

void SweepFolder::fail(const std::string& hash, const std::string& sentence) const
{
    const nlohmann::json json{{"sentence", sentence}};
    write_whole(cell(hash) / failure_name, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void SweepFolder::forget_failure(const std::string& hash) const
{
    std::error_code ignored;
    fs::remove(cell(hash) / failure_name, ignored);
}

}   // namespace credence
