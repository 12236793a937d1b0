// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/write_whole.h"

#include "foundation/system_reason.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

// Name of an unfinished file: ".<name>.credence-part-<computer>-<process>-<number>".
namespace credence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".credence-part-";

/// Eight-digit hash of the computer's name (FNV-1a): process ids are only unique on one computer.
std::string this_computer()
{
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    std::uint32_t hash = 2166136261u;
    for (const char* c = name; *c != 0; ++c)
        hash = (hash ^ static_cast<unsigned char>(*c)) * 16777619u;
    std::string digits(8, '0');
    for (std::size_t i = 8; i-- > 0; hash /= 16)
        digits[i] = "0123456789abcdef"[hash % 16];
    return digits;
}

bool is_running(long process) { return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }

/// Removes and returns the integer at the front of `text`; empty if there is none.
std::optional<long> take_number(std::string_view& text)
{
    long value             = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || value <= 0)
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// True for a name that temporary_beside made on this computer in a process that has ended.
bool is_dead_part(const std::string& name)
{
    const auto at = name.rfind(mark);
    if (at == std::string::npos || at < 2 || name.front() != '.')
        return false;
    std::string_view rest      = std::string_view(name).substr(at + mark.size());
    const std::string computer = this_computer() + '-';
    if (!rest.starts_with(computer))
        return false;
    rest.remove_prefix(computer.size());
    const auto process = take_number(rest);
    if (!process || !rest.starts_with('-'))
        return false;
    rest.remove_prefix(1);
    return take_number(rest) && rest.empty() && !is_running(*process);
}

/// Flushes a file to disk; for a folder, its entries. Returns errno for a disk failure, otherwise
/// 0.
int flush_to_disk(const fs::path& path)
{
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return 0;   // writable but not readable
    const int code = ::fsync(handle) == 0 ? 0 : errno;
    ::close(handle);
    // File systems that cannot flush are not an error.
    return code == EIO || code == ENOSPC || code == EDQUOT ? code : 0;
}

/// The file that is actually written: symbolic links are followed and remain links.
fs::path place_of(const fs::path& file)
{
    std::error_code code;
    if (!fs::is_symlink(file, code))
        return file;
    const fs::path place = fs::weakly_canonical(file, code);
    return code ? file : place;
}

/// At most 150 bytes of a name, cut between characters. File systems allow 255, and the suffix
/// needs space.
std::string beginning_of(std::string name)
{
    constexpr std::size_t most = 150;
    if (name.size() <= most)
        return name;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
        --end;
    return name.substr(0, end);
}

/// True at the first use of this folder by this process.
bool is_first_use_of(const fs::path& folder)
{
    static std::mutex mutex;
    static std::set<fs::path> used;
    const std::lock_guard lock(mutex);
    return used.insert(folder.lexically_normal()).second;
}

}   // namespace

void refuse_to_write(const fs::path& file, int code)
{
    const std::string sentence = file.string() + ": the file cannot be written (" + system_reason(code) + ").";
    if (code == ENOSPC || code == EDQUOT || code == EIO || code == EFBIG)
        throw DiskError(sentence);
    throw Error(sentence);
}

fs::path temporary_beside(const fs::path& file)
{
    static std::atomic<long> given{0};
    if (is_first_use_of(file.parent_path()))
        remove_leftovers(file.parent_path());
    return file.parent_path()
           / ('.' + beginning_of(file.filename().string()) + std::string(mark) + this_computer() + '-'
              + std::to_string(::getpid()) + '-' + std::to_string(++given));
}

void replace_whole(const fs::path& temporary, const fs::path& file)
{
    int code = flush_to_disk(temporary);
    if (code == 0 && ::rename(temporary.c_str(), file.c_str()) != 0)
        code = errno;
    if (code != 0) {
        std::error_code ignored;
        fs::remove_all(temporary, ignored);
        refuse_to_write(file, code);
    }
    flush_to_disk(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

WholeFile::WholeFile(const fs::path& file) : file_(place_of(file)), temporary_(temporary_beside(file_))
{
    handle_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle_ < 0)
        refuse_to_write(file_, errno);
    struct stat known {};
    // A replaced file keeps its permissions.
    if (::stat(file_.c_str(), &known) == 0 && S_ISREG(known.st_mode))
        (void)!::fchmod(handle_, known.st_mode & 07777);
}

WholeFile::~WholeFile()
{
    if (handle_ >= 0)
        ::close(handle_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto n = ::write(handle_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            refuse_to_write(file_, n == 0 ? ENOSPC : errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

void WholeFile::keep()
{
    const int handle = std::exchange(handle_, -1);
    if (::close(handle) != 0)
        refuse_to_write(file_, errno);
    replace_whole(std::exchange(temporary_, {}), file_);
}

void write_whole(const fs::path& file, std::string_view content)
{
    WholeFile whole(file);
    whole.write(content);
    whole.keep();
}

int remove_leftovers(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code code;
    const fs::path place = folder.empty() ? fs::path(".") : folder;
    for (fs::directory_iterator at(place, code), end; !code && at != end; at.increment(code))
        if (is_dead_part(at->path().filename().string()))
            found.push_back(at->path());
    int removed = 0;
    for (const auto& path : found)
        removed += static_cast<int>(fs::remove_all(path, code) > 0 && !code);
    return removed;
}

}   // namespace credence
