// SPDX-License-Identifier: GPL-3.0-or-later
#include "slow_disk.h"

#include <QFile>
#include <gmock/gmock.h>

#include <condition_variable>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Disk {
    std::mutex mutex;
    std::condition_variable answered;
    std::string folder;   ///< empty: no disk is slow
    int waiting   = 0;
    bool byWindow = false;
};

Disk& disk()
{
    static Disk one;
    return one;
}

/// Before a file is opened.
void waitFor(const char* path)
{
    auto& slow = disk();
    std::unique_lock lock(slow.mutex);
    if (!path || slow.folder.empty() || std::strncmp(path, slow.folder.c_str(), slow.folder.size()) != 0)
        return;
    if (syscall(SYS_gettid) == getpid()) {
        slow.byWindow = true;
        return;
    }
    ++slow.waiting;
    slow.answered.wait(lock, [&] { return slow.folder.empty(); });
    --slow.waiting;
}

int openNow(int folder, const char* path, int flags, mode_t mode)
{
    waitFor(path);
    return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

mode_t modeAmong(int flags, va_list rest)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

}   // namespace

// In place of those of the C library, for this program and for Qt.
extern "C" {
int open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeAmong(flags, rest);
    va_end(rest);
    return openNow(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeAmong(flags, rest);
    va_end(rest);
    return openNow(AT_FDCWD, path, flags, mode);
}
int __open_2(const char* path, int flags) { return openNow(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return openNow(AT_FDCWD, path, flags, 0); }
}

SlowDisk::SlowDisk() = default;

SlowDisk::~SlowDisk() { answer(); }

QString SlowDisk::write(const QString& name, const QByteArray& content) const
{
    auto& slow = disk();
    {
        const std::lock_guard lock(slow.mutex);
        slow.folder.clear();
    }
    QFile file(m_folder.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    slowDown(m_folder.path());
    return file.fileName();
}

void SlowDisk::slowDown(const QString& folder) const
{
    auto& slow = disk();
    const std::lock_guard lock(slow.mutex);
    slow.folder   = folder.toStdString() + '/';
    slow.byWindow = false;
}

bool SlowDisk::awaited() const
{
    const std::lock_guard lock(disk().mutex);
    return disk().waiting > 0;
}

bool SlowDisk::awaitedByWindow() const
{
    const std::lock_guard lock(disk().mutex);
    return disk().byWindow;
}

void SlowDisk::answer() const
{
    const std::lock_guard lock(disk().mutex);
    disk().folder.clear();
    disk().answered.notify_all();
}
