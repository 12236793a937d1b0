// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/folder_field.h"

#include "parts/ask_path.h"
#include "session/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

FolderField::FolderField(QWidget* parent) : QWidget(parent), m_typed(new QLineEdit(this))
{
    m_typed->setObjectName(QStringLiteral("exportFolder"));
    m_typed->setAccessibleName(tr("Folder"));
    const QString last = read(settings::lastFolder);
    m_typed->setText(QDir::toNativeSeparators(last.isEmpty() ? QDir::homePath() : last));
    auto* browse = new QPushButton(tr("Browse…"), this);
    connect(browse, &QPushButton::clicked, this, [this] {
        askForFolder(tr("Folder for the files"), m_typed->text(), this,
                     [this](const QString& chosen) { m_typed->setText(QDir::toNativeSeparators(chosen)); });
    });
    connect(m_typed, &QLineEdit::textChanged, this, &FolderField::changed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_typed, 1);
    layout->addWidget(browse);
}

QWidget* FolderField::editor() const { return m_typed; }

QString FolderField::path() const
{
    QString typed = QDir::fromNativeSeparators(m_typed->text().trimmed());
    if (typed == QLatin1String("~") || typed.startsWith(QLatin1String("~/")))
        typed.replace(0, 1, QDir::homePath());
    return typed.isEmpty() ? typed : QDir::cleanPath(QDir(QDir::homePath()).absoluteFilePath(typed));
}

QString FolderField::mistake() const
{
    const QString folder = path();
    if (folder.isEmpty())
        return tr("Folder: found no name, expected the folder for the files.");
    const QString shown = QDir::toNativeSeparators(folder);
    QFileInfo nearest(folder);   // the folder itself, or the nearest one above it that exists
    while (!nearest.exists() && nearest.path() != nearest.filePath())
        nearest = QFileInfo(nearest.path());
    const QString found = QDir::toNativeSeparators(nearest.filePath());
    if (!nearest.isDir())
        return tr("Folder %1: found a file called %2, expected a folder.").arg(shown, found);
    if (nearest.isWritable())
        return {};
    return nearest.filePath() == folder
               ? tr("Folder %1: found a folder without permission to write, expected one that you can write to.")
                     .arg(shown)
               : tr("Folder %1: does not exist and cannot be created, because you cannot write to %2.")
                     .arg(shown, found);
}

QString FolderField::create() const
{
    const QString folder = path();
    if (!QDir().mkpath(folder))
        return tr("Folder %1: could not be created.").arg(QDir::toNativeSeparators(folder));
    write(settings::lastFolder, folder);
    return {};
}
