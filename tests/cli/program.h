// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

/// The result of a program call.
struct Answer {
    int status = -1;   ///< exit status; 1000 + signal if it was killed
    std::string out, error;
};

/// Calls the built program without a display. @param arguments  as typed in a shell
Answer call(const std::string& arguments);

/// The same, after commands for the shell, each with its semicolon: "export PATH=/nowhere; "
Answer callAfter(const std::string& commands, const std::string& arguments);

/// Runs a script of the shell without a display; $CREDENCE is the built program.
Answer callShell(const std::string& script);

/// The same, with SIGINT as soon as `reached` returns true.
Answer callAndInterruptWhen(const std::string& arguments, const std::function<bool()>& reached);
/// The same, with `signal` as soon as the program has written `file`, again if it existed.
Answer callAndSignalAt(const std::string& arguments, int signal, const std::filesystem::path& file);
/// The same with SIGINT.
Answer callAndInterruptAt(const std::string& arguments, const std::filesystem::path& file);
/// The same, with SIGKILL this many seconds after it has written `file`, again if it existed.
Answer callAndKill(const std::string& arguments, const std::filesystem::path& file, double seconds);

/// The same, killed after this many seconds unless it has already ended.
Answer callAndKill(const std::string& arguments, double seconds);
/// Two calls at once.
std::pair<Answer, Answer> callBoth(const std::string& first, const std::string& second);

/// The same, as if the disk were full once a file has this many bytes.
Answer callWithSmallFiles(const std::string& arguments, int bytes);

/// A path as one word of a shell.
inline std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

/// A new empty folder for one test.
std::filesystem::path freshFolder(const std::string& name);
std::string contentOf(const std::filesystem::path& file);
