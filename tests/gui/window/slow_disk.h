// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTemporaryDir>

/// A folder on a slow disk: opening a file in it blocks until `answer` is called. This program's
/// open() replaces that of the C library. The window's thread never blocks; an attempt is recorded.
class SlowDisk {
public:
    SlowDisk();
    ~SlowDisk();
    SlowDisk(const SlowDisk&)            = delete;
    SlowDisk& operator=(const SlowDisk&) = delete;

    QString write(const QString& name, const QByteArray& content) const;   ///< @return its path
    void slowDown(const QString& folder) const;                            ///< this one instead
    bool awaited() const;                                                  ///< does another thread wait for a file?
    bool awaitedByWindow() const;                                          ///< has the window's thread opened a file?
    void answer() const;                                                   ///< now and from now on

private:
    const QTemporaryDir m_folder;
};
