// SPDX-License-Identifier: GPL-3.0-or-later
#include "work/qt_remarks.h"

#include <QtGlobal>

#include <mutex>

namespace {

std::mutex installing;
int collectors                    = 0;
QtMessageHandler usual            = nullptr;
thread_local QtRemarks* innermost = nullptr;

}   // namespace

void QtRemarks::collect(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (innermost) {
        innermost->m_lines += text;
        return;
    }
    QtMessageHandler handler;
    {
        const std::scoped_lock lock(installing);
        handler = usual;
    }
    if (handler && handler != &QtRemarks::collect)
        handler(type, context, text);
}

QtRemarks::QtRemarks() : m_outer(innermost)
{
    const std::scoped_lock lock(installing);
    if (collectors++ == 0)
        usual = qInstallMessageHandler(&QtRemarks::collect);
    innermost = this;
}

QtRemarks::~QtRemarks()
{
    innermost = m_outer;
    const std::scoped_lock lock(installing);
    if (--collectors > 0)
        return;
    // Keeps another handler that was installed in the meantime.
    if (const QtMessageHandler current = qInstallMessageHandler(usual); current != &QtRemarks::collect)
        qInstallMessageHandler(current);
}
