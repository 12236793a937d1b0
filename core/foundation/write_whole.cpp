// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/write_whole.h"

#include "foundation/error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace credence {
namespace {

/// Asks the system to put what was written onto the disk; a folder's entry counts as its content.
void flush_to_disk(const std::filesystem::path& path)
{
    if (const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC); handle >= 0) {
        ::fsync(handle);
        ::close(handle);
    }
}

bool is_running(long process) { return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM); }

/// Is this name one of temporary_beside, of a process that is gone?
bool is_dead_part(const std::filesystem::path& name)
{
    const std::string stem = name.stem().string();   // ".results.json.4711"
    const auto        dot  = stem.rfind('.');
    if (name.extension() != ".part" || stem.front() != '.' || dot == 0 || dot == std::string::npos)
        return false;
    long process = 0;
    const char* const end = stem.data() + stem.size();
    const auto [rest, error] = std::from_chars(stem.data() + dot + 1, end, process);
    return error == std::errc{} && rest == end && !is_running(process);
}

/// Is this name one that Qt gives to a figure until it is finished?
bool is_unfinished_figure(const std::filesystem::path& name)
{
    const std::string letters = name.extension().string(), suffix = name.stem().extension().string();
    return (suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && letters.size() == 7
           && std::all_of(letters.begin() + 1, letters.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
}

}  // namespace

std::filesystem::path temporary_beside(const std::filesystem::path& file)
{
    std::string name = file.filename().string();
    name.insert(name.begin(), '.');
    name += '.';
    name += std::to_string(::getpid());
    name += ".part";
    return file.parent_path() / name;
}

void replace_whole(const std::filesystem::path& temporary, const std::filesystem::path& file)
{
    flush_to_disk(temporary);
    std::error_code error;
    std::filesystem::rename(temporary, file, error);
    if (error) {
        std::filesystem::remove(temporary, error);
        throw Error(file.string() + ": the file cannot be written (" + std::strerror(errno) + ").");
    }
    flush_to_disk(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."));
}

void write_whole(const std::filesystem::path& file, const std::string& content)
{
    const auto temporary = temporary_beside(file);
    const auto refuse    = [&] {
        const std::string why = std::strerror(errno);
        ::unlink(temporary.c_str());
        throw Error(file.string() + ": the file cannot be written (" + why + ").");
    };
    const int handle = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (handle < 0)
        refuse();
    std::size_t done = 0;
    while (done < content.size()) {
        const auto n = ::write(handle, content.data() + done, content.size() - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            ::close(handle);
            refuse();
        }
        done += static_cast<std::size_t>(n);
    }
    if (::close(handle) != 0)
        refuse();
    replace_whole(temporary, file);
}

int remove_leftovers(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (is_dead_part(entry.path().filename()) || (entry.is_regular_file(ignored) && is_unfinished_figure(entry.path().filename())))
            found.push_back(entry.path());
    int removed = 0;
    for (const auto& file : found)
        removed += std::filesystem::remove_all(file, ignored) > 0 ? 1 : 0;
    return removed;
}

}  // namespace credence
