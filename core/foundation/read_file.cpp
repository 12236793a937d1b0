// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/read_file.h"

#include "foundation/error.h"
#include "foundation/system_reason.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Why this cannot be read to its end; empty for a regular file.
std::string other_kind(mode_t mode)
{
    if (S_ISREG(mode))
        return {};
    return S_ISDIR(mode)    ? "it is a folder"
           : S_ISFIFO(mode) ? "it is a pipe"
           : S_ISSOCK(mode) ? "it is a socket"
                            : "it is a device";
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
        return refusal("it has " + std::to_string(bytes) + " bytes and may have " + std::to_string(most));
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

}   // namespace credence
