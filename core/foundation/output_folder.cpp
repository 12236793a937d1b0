// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/output_folder.h"

#include "foundation/error.h"
#include "foundation/system_reason.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace credence {

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
        throw Error(path_.string() + ": another run of Credence is writing there, expected a folder of its own.");
    }
}

OutputFolder::~OutputFolder()
{
    if (made_)
        ::rmdir(path_.c_str());   // only if it is empty
    if (handle_ >= 0)
        ::close(handle_);
}

}   // namespace credence
