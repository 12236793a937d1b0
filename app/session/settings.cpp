// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/settings.h"

#include <QDir>
#include <QStandardPaths>

namespace {

QString stateFolder()
{
    QString folder = qEnvironmentVariable("XDG_STATE_HOME");
    if (folder.isEmpty() || !QDir::isAbsolutePath(folder))   // the XDG rule: relative paths are ignored
        folder = QDir::homePath() + "/.local/state";
    return folder + "/credence";
}

}   // namespace

QSettings& stateFile()
{
    static QSettings file(stateFolder() + "/org.credence.Credence.ini", QSettings::IniFormat);
    return file;
}

QString windowsFolder() { return stateFolder() + "/windows"; }

QString unsavedStudiesFolder() { return stateFolder() + "/unsaved"; }

QString lastSweepFile()
{
    QDir().mkpath(stateFolder());
    return stateFolder() + "/last_sweep.json";
}

QString runsInProgressFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/credence/runs-in-progress";
}

QString runsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/credence/runs";
}

QString runsIndexFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + "/credence/runs.sqlite";
}

QString thumbnailsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + "/credence/thumbnails";
}

QString tablesFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/credence/tables";
}

QString sweepsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/credence/sweeps";
}
