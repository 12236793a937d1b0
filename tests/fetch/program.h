// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalogue_file.h"

#include <QProcess>
#include <QTest>
#include <gmock/gmock.h>

/// The built program with a data folder of its own and a catalogue whose only set is "tiny", on a server of this test.
class Program : public testing::Test {
protected:
    struct Answer {
        int status = -1;
        std::string out, error;
    };

    void start(QProcess& program, const QStringList& arguments)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CREDENCE_DATA_DIR"})
            environment.remove(name);
        environment.insert("CREDENCE_CATALOGUE", QString::fromStdString(writeCatalogue(home, set.entry).string()));
        environment.insert("XDG_DATA_HOME", QString::fromStdString((home / "share").string()));
        program.setProcessEnvironment(environment);
        program.start(CREDENCE_PROGRAM, arguments);
    }
    static Answer end(QProcess& program)
    {
        if (!QTest::qWaitFor([&] { return program.state() == QProcess::NotRunning; }, 30000))
            ADD_FAILURE() << "the program does not end";
        return {program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1,
                program.readAllStandardOutput().toStdString(), program.readAllStandardError().toStdString()};
    }
    Answer call(const QStringList& arguments)
    {
        QProcess program;
        start(program, arguments);
        return end(program);
    }

    WebServer server;
    TinySet set = tinySet({server.address("first")});
    Folder home;
    std::filesystem::path sets = home / "share/credence/datasets", target = sets / "tiny";

    Program() { serve(server, "first", set); }
};
