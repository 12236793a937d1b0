// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/progress.h"
#include "training/run_plan.h"
#include "training/trainer.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

/// A status line in the terminal that is overwritten: "step 1,200 of 5,000 · epoch 60 · 1,850
/// steps/s · 0:02 left". Silent if standard error is not a terminal or a dumb one; never wider than
/// the terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();   ///< clears the line
    void show(const std::string& text);
    void setBeginning(const std::string& text) { m_beginning = text; }   ///< prefix of every line from now on
    void wipe();   ///< clears the line until the next update, so that a sentence can be printed

private:
    bool m_terminal;
    bool m_written = false;
    std::string m_beginning;
};

/// @param plan  of the run: chains show draws instead of epochs
std::string progressText(const credence::TrainingProgress& progress, const credence::RunPlan& plan);

/// Returns a ProgressScope callback (foundation/progress.h) that shows "what · 40 % · 0:12 left",
/// at most ten times a second. The line must outlive it.
std::function<void(double share)> shareOn(ProgressLine& line, const std::string& what);

/// "40 % · 0:12 left"; unknown parts are omitted
std::string shareText(const credence::WorkProgress::State& state);

/// "0:06", "1:02:03"
std::string clockText(double seconds);

/// Returns the first `columns` characters of a UTF-8 text, with "…" as the last if it was cut. A
/// longer line would wrap and could not be cleared.
std::string shortened(const std::string& text, std::size_t columns);

/// While alive, turns Ctrl+C (SIGINT), SIGTERM, a lost terminal (SIGHUP) and the CPU time limit
/// (SIGXCPU) into a stop request. If the work has not ended some seconds later, the program exits
/// with status 130; no file is left half written, since each is renamed when complete. A second
/// signal of the same kind ends the program at once. A closed pipe (SIGPIPE) is ignored from the
/// first Interrupt on.
class Interrupt {
public:
    explicit Interrupt(std::chrono::milliseconds patience = std::chrono::seconds(3));
    ~Interrupt();
    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }
    void setPatience(std::chrono::milliseconds patience) { m_patience = patience; }

    /// While alive, prevents the forced exit, so that results computed so far can be written.
    class Hold {
    public:
        explicit Hold(const Interrupt& interrupt) : m_paused(interrupt.m_paused) { ++m_paused; }
        ~Hold() { --m_paused; }
        Hold(const Hold&)            = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        std::atomic<int>& m_paused;
    };

private:
    void watch(const std::stop_token& end);

    std::atomic<std::chrono::milliseconds> m_patience;
    std::stop_source m_source;
    mutable std::atomic<int> m_paused{0};
    std::jthread m_watcher;
};

// Progress and result of a download in plain types, since the command line does not depend on Qt.

struct FetchProgress {
    enum class Phase {
        checking,   ///< of existing files, or of one just downloaded
        downloading,
    };
    Phase phase = Phase::checking;
    std::string file;
    int number = 0, files = 0;               ///< file `number` of `files` missing ones, from 1
    std::uint64_t received = 0, total = 0;   ///< bytes of all files; total 0: unknown
    double bytesPerSecond = 0;               ///< average of the last seconds; 0: not yet known
    std::optional<double> secondsLeft;
};

struct FetchReport {
    enum class End {
        fetched,    ///< all files are present and correct; some are new
        wasThere,   ///< all files were already present and correct
        failed,     ///< see message; files downloaded earlier are kept
        cancelled,
    };
    End end = End::failed;
    std::string message;            ///< one sentence
    std::filesystem::path folder;   ///< current or intended location of the data set
    int files           = 0;        ///< number of new files
    std::uint64_t bytes = 0;        ///< bytes downloaded for them
};

/// "train-images-idx3-ubyte.gz (1 of 4) · 3.2 of 11.6 MB · 1.4 MB/s · 0:06 left"
std::string fetchText(const FetchProgress& progress);

/// "11.6 MB", "29 kB": powers of 1000.
std::string bytesText(std::uint64_t bytes);
