// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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
