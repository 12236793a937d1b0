// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include "session/settings.h"

/// An event loop without a display that does not touch the user's settings and runs.
int main(int argc, char** argv)
{
    const QTemporaryDir home;
    for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(folder, home.filePath(folder).toLocal8Bit());
    testing::InitGoogleMock(&argc, argv);
    QCoreApplication application(argc, argv);
    const int failed = RUN_ALL_TESTS();
    stateFile().sync();   // all writes finish before the folder is removed
    return failed;
}
