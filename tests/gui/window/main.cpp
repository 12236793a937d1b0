// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include "session/settings.h"

/// GoogleTest with a QApplication that needs no display and does not touch the user's settings and
/// runs.
int main(int argc, char** argv)
{
    const QTemporaryDir home;
    for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(folder, home.filePath(folder).toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    Q_INIT_RESOURCE(app);
    testing::InitGoogleMock(&argc, argv);
    QApplication application(argc, argv);
    write(settings::mapCells,
          40);   // along each side, instead of 100: most of what a test of the window took were its maps
    write(settings::liveCells, 30);
    const int failed = RUN_ALL_TESTS();
    stateFile().sync();   // all writes finish before the folder is removed
    return failed;
}
