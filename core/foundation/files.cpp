// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/files.h"

#include "foundation/error.h"
#include "foundation/hashes.h"
#include "foundation/number_text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

// Name of an unfinished file: ".<name>.credence-part-<computer>-<process>-<number>".

namespace credence {
namespace {

class Handle {
public:
    explicit Handle(const std::filesystem::path& file)
        : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {}   // O_NONBLOCK: opening a pipe without a writer returns at once
    ~Handle()
    {
        if (number_ >= 0)
            ::close(number_);
    }
    Handle(const Handle&)            = delete;
    Handle& operator=(const Handle&) = delete;
    operator int() const { return number_; }

private:
    int number_;
};

/// Returns the kind of a file that cannot be read to its end; empty for a regular file.
std::string other_kind(mode_t mode)
{
    if (S_ISREG(mode))
        return {};
    return S_ISDIR(mode)    ? "it is a folder"
           : S_ISFIFO(mode) ? "it is a pipe"
           : S_ISSOCK(mode) ? "it is a socket"
                            : "it is a device";
}

namespace fs = std::filesystem;

constexpr std::string_view mark = ".credence-part-";

/// Eight-digit hash of the computer's name (FNV-1a): process ids are only unique on one computer.
std::string this_computer()
{
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    Fnv1a<std::uint32_t> hash;
    hash.add_text(name);
    return hex_digits(hash.value());
}

bool is_running(long process) { return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }

/// Removes and returns the integer at the front of `text`; empty if there is none.
std::optional<long> pop_number(std::string_view& text)
{
    long value             = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || value <= 0)
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// True for a name that begin_replacement made on this computer in a process that has ended.
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
    const auto process = pop_number(rest);
    if (!process || !rest.starts_with('-'))
        return false;
    rest.remove_prefix(1);
    return pop_number(rest) && rest.empty() && !is_running(*process);
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

/// Returns at most 150 bytes of a name, cut between characters. File systems allow 255, and the
/// suffix needs space.
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

bool is_kept(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// "1001 bytes", "67.1 MB"
std::string size_text(std::uint64_t bytes)
{
    if (bytes < 100'000)
        return std::to_string(bytes) + " bytes";
    const auto size = static_cast<double>(bytes);
    return size < 1e9 ? number_text(size / 1e6, 3) + " MB" : number_text(size / 1e9, 3) + " GB";
}

/// Non-ASCII letters are dropped: file systems encode them differently.
std::string file_name(const std::string& name)
{
    constexpr std::size_t longest = 60;
    std::string out;
    bool gap = false;
    for (const char given : name) {
        const char c = given >= 'A' && given <= 'Z' ? static_cast<char>(given - 'A' + 'a') : given;
        if (!is_kept(c)) {
            gap = true;
            continue;
        }
        if (gap && !out.empty())
            out += '-';
        gap = false;
        out += c;
        if (out.size() >= longest)
            break;
    }
    return out.empty() ? "run" : out;
}

}   // namespace

template <class Bytes>
Bytes read_file(const std::filesystem::path& file, const std::string& expected, std::uint64_t most)
{
    const auto refusal = [&](const std::string& why) {
        return Error(file.string() + ": the file cannot be read (" + why + "), expected " + expected + ".");
    };
    const Handle handle(file);
    struct stat about {};
    if (handle < 0 || ::fstat(handle, &about) != 0)
        throw refusal(system_reason(errno));
    if (const std::string kind = other_kind(about.st_mode); !kind.empty())
        throw refusal(kind);
    const auto too_long = [&](std::uint64_t bytes) {
        return refusal("its size is " + size_text(bytes) + ", the limit is " + size_text(most));
    };
    if (static_cast<std::uint64_t>(about.st_size) > most)
        throw too_long(static_cast<std::uint64_t>(about.st_size));

    Bytes bytes;
    // One byte more than the current size detects the end; the file may also grow meanwhile.
    for (std::size_t piece = static_cast<std::size_t>(about.st_size) + 1;; piece = 1 << 16) {
        const std::size_t at = bytes.size();
        bytes.resize(at + piece);
        const auto n = ::read(handle, bytes.data() + at, piece);
        bytes.resize(at + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        if (n < 0 && errno != EINTR)
            throw refusal(system_reason(errno));
        if (n == 0)
            return bytes;
        if (bytes.size() > most)
            throw too_long(bytes.size());
    }
}

template std::string read_file<std::string>(const std::filesystem::path&, const std::string&, std::uint64_t);
template std::vector<char> read_file<std::vector<char>>(const std::filesystem::path&, const std::string&,
                                                        std::uint64_t);

void refuse_to_write(const fs::path& file, int code)
{
    const std::string sentence = file.string() + ": the file cannot be written (" + system_reason(code) + ").";
    if (code == ENOSPC || code == EDQUOT || code == EIO || code == EFBIG)
        throw DiskError(sentence);
    throw Error(sentence);
}

fs::path begin_replacement(const fs::path& file)
{
    static std::atomic<long> given{0};
    struct stat known {};
    // Renaming would replace a write-protected file too; root could even write to it.
    if (::stat(file.c_str(), &known) == 0 && S_ISREG(known.st_mode)
        && ((known.st_mode & 0222) == 0 || ::access(file.c_str(), W_OK) != 0))
        throw Error(file.string() + ": the file is write-protected, expected one that can be replaced.");
    if (is_first_use_of(file.parent_path()))
        remove_leftovers(file.parent_path());
    return file.parent_path()
           / ('.' + beginning_of(file.filename().string()) + std::string(mark) + this_computer() + '-'
              + std::to_string(::getpid()) + '-' + std::to_string(++given));
}

void finish_replacement(const fs::path& temporary, const fs::path& file)
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

WholeFile::WholeFile(const fs::path& file) : file_(place_of(file)), temporary_(begin_replacement(file_))
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
    finish_replacement(std::exchange(temporary_, {}), file_);
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

OutputFolder::OutputFolder(std::filesystem::path folder) : path_(std::move(folder))
{
    std::error_code code;
    made_ = std::filesystem::create_directories(path_, code);
    if (code || !std::filesystem::is_directory(path_))
        throw Error(path_.string() + ": the folder cannot be created ("
                    + (code ? code.message() : "there is a file of this name") + ").");
    if (::access(path_.c_str(), W_OK | X_OK) != 0)
        throw Error(path_.string() + ": nothing can be written there (" + system_reason(errno) + ").");
    handle_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // File systems without locks are accepted.
    if (handle_ >= 0 && ::flock(handle_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(handle_);
        throw Error(path_.string() + ": another run of Credence is writing there, expected a separate folder.");
    }
}

OutputFolder::~OutputFolder()
{
    if (made_)
        ::rmdir(path_.c_str());   // only if it is empty
    if (handle_ >= 0)
        ::close(handle_);
}

std::vector<std::string> distinct_file_names(std::span<const std::string> names)
{
    std::vector<std::string> out;
    std::set<std::string> plain, taken;
    for (const auto& name : names)
        plain.insert(file_name(name));
    for (const auto& name : names) {
        const std::string first = file_name(name);
        std::string free        = first;
        for (int n = 2; taken.contains(free) || (free != first && plain.contains(free)); ++n)
            free = first + "-" + std::to_string(n);
        taken.insert(free);
        out.push_back(free);
    }
    return out;
}

}   // namespace credence
