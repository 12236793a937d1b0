// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/archive.h"

#include "foundation/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

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

}  // namespace credence
