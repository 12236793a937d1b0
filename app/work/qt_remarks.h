// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

/// Collects what Qt and its plugins would print about work on this thread, as long as it exists. Other threads print as before.
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
