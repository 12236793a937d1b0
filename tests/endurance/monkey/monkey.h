// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "endurance/monkey/action.h"
#include "session/app_context.h"
#include "shell/main_window.h"

#include <QElapsedTimer>
#include <QFile>
#include <QObject>

#include <memory>
#include <random>
#include <utility>
#include <vector>

struct MonkeyOptions {
    double seconds     = 60;
    unsigned seed      = 1;
    QString log        = QStringLiteral("monkey.log");   ///< its actions, and what it found
    QString replay     = {};                             ///< a log to replay instead of random actions
    double rest_every  = 300;   ///< seconds; a rest closes the window, drops its runs and measures the remaining memory
    double most_memory = 6e9;   ///< bytes
};

/// Uses the real window at random: any control, value or key, drags, closing dialogs. It looks for
/// internal error messages, for Qt's warnings and for growing memory. The log contains every
/// action, so that findings can be reproduced.
class Monkey : public QObject {
public:
    explicit Monkey(MonkeyOptions options);
    ~Monkey() override;
    void start();
    void end();   ///< the window closes with everything it opened
    /// A message of Qt. @param where  of a warning: its call stack
    void hear(QtMsgType type, const QString& category, const QString& text, const QStringList& where);

    bool ended() const { return m_ended; }   ///< its time is over
    int found() const { return m_found; }
    double slope() const;     ///< MB per hour over the rests after the warm-up; 0: too few of them
    QString report() const;   ///< one line: actions, seconds, memory

private:
    void openWindow();
    void next();
    Action choose();
    void look();      ///< through the visible texts
    void measure();   ///< current memory
    void rest();
    void found(const QString& what, const QStringList& where = {});
    void write(const QString& line);

    MonkeyOptions m_options;
    std::mt19937 m_random;
    QFile m_log;
    QStringList m_lines;   ///< still to be replayed
    std::unique_ptr<AppContext> m_context;
    std::unique_ptr<MainWindow> m_window;
    QElapsedTimer m_clock;
    bool m_ended = false;
    int m_depth = 0, m_actions = 0, m_missed = 0, m_found = 0, m_windows = 0;
    double m_rested = 0, m_largest = 0;
    QStringList m_known;                                    ///< findings that were already reported
    std::vector<std::pair<double, double>> m_rest_memory;   ///< seconds, bytes: at each rest
};
