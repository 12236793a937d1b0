// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

/// While alive, collects messages of Qt and its plugins about work on this thread. Other threads
/// print as usual.
class QtRemarks {
public:
    QtRemarks();
    ~QtRemarks();
    QtRemarks(const QtRemarks&)            = delete;
    QtRemarks& operator=(const QtRemarks&) = delete;

    const QStringList& lines() const { return m_lines; }

private:
    static void collect(QtMsgType type, const QMessageLogContext& context, const QString& text);

    QStringList m_lines;
    QtRemarks* m_outer;
};
