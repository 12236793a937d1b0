// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/sweep_results.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace credence {

inline Sweep sweep_of(const std::string& text) { return sweep_from_text(text, "my.json", ::testing::TempDir()); }

/// Runs of some milliseconds: `axes` on two moons.
inline Sweep small_sweep(const std::string& axes)
{
    return sweep_of(R"({"base": "two_moons_mean_field", "axes": )" + axes + R"(,
        "set": {"data.n": 40, "network.hidden": [3], "training.steps": 4, "training.batch_size": 8,
                "prediction.samples": 4}})");
}

/// A folder of its own, gone with the test.
struct FreshFolder {
    explicit FreshFolder(const std::string& name)
        : path(std::filesystem::path(::testing::TempDir())
               / ("credence_sweeps_" + name + "_" + std::to_string(::getpid())))
    {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~FreshFolder() { std::filesystem::remove_all(path); }
    FreshFolder(const FreshFolder&)            = delete;
    FreshFolder& operator=(const FreshFolder&) = delete;
    std::filesystem::path path;
};

/// The message of the exception thrown by `call`; empty: none.
template <class Call>
std::string sentence_thrown_by(Call call)
{
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

}   // namespace credence
