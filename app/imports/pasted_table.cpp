// SPDX-License-Identifier: GPL-3.0-or-later
#include "imports/import_dialog.h"

#include "session/settings.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSaveFile>

bool isTableText(const QString& text)
{
    const auto lines = text.trimmed().split(QLatin1Char('\n'));
    const auto first = lines.front();
    return lines.size() > 1
           && (first.contains(QLatin1Char('\t')) || first.contains(QLatin1Char(',')) || first.contains(QLatin1Char(';'))
               || first.contains(QLatin1Char('|')));
}

QString storePastedTable(const QString& text)
{
    if (!QDir().mkpath(tablesFolder()))
        return {};
    const QString start = tablesFolder() + QLatin1Char('/')
                          + QCoreApplication::translate("PastedTable", "Pasted table %1")
                                .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd HH-mm-ss")));
    QString path = start + QStringLiteral(".tsv");
    for (int copy = 2; QFile::exists(path); ++copy)
        path = QStringLiteral("%1 (%2).tsv").arg(start).arg(copy);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(text.toUtf8());
    return file.commit() ? path : QString();
}
