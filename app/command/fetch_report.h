// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

// What a download says of itself, in plain types: the command line knows nothing of Qt.

struct FetchProgress {
    enum class Phase {
        checking,   ///< of files that are there, or of one that has just come
        downloading,
    };
    Phase phase = Phase::checking;
    std::string file;
    int number = 0, files = 0;               ///< this is file `number` of `files` that are missing, from 1
    std::uint64_t received = 0, total = 0;   ///< bytes of all of them; total 0: unknown
    double bytesPerSecond = 0;               ///< over the last seconds; 0: not known yet
    std::optional<double> secondsLeft;
};

struct FetchReport {
    enum class End {
        fetched,    ///< all files are there and right, and some of them are new
        wasThere,   ///< all files were there and right; nothing was done
        failed,     ///< see message; files that had come before are kept
        cancelled,
    };
    End end = End::failed;
    std::string message;            ///< one sentence
    std::filesystem::path folder;   ///< where the set is, or was to go
    int files           = 0;        ///< that are new
    std::uint64_t bytes = 0;        ///< that were downloaded for them
};

/// "train-images-idx3-ubyte.gz (1 of 4) · 3.2 of 11.6 MB · 1.4 MB/s · 0:06 left"
std::string fetchText(const FetchProgress& progress);

/// "11.6 MB", "29 kB": powers of 1000.
std::string bytesText(std::uint64_t bytes);
