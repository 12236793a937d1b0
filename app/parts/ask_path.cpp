// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/ask_path.h"

#include "parts/sheet.h"
#include "session/settings.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include <utility>

namespace {

/// A file dialog that appends a missing suffix and asks before replacing the resulting file. The
/// desktop's dialog asks about the name as typed, which can differ.
class SaveDialog : public QFileDialog {
public:
    SaveDialog(QWidget* parent, const QString& title, const QString& filter, QString suffix)
        : QFileDialog(parent, title, read(settings::lastFolder), filter), m_suffix('.' + std::move(suffix))
    {}

    void accept() override
    {
        const QStringList files = selectedFiles();
        if (files.size() != 1 || QFileInfo(files[0]).isDir())
            return QFileDialog::accept();
        const bool complete = files[0].endsWith(m_suffix, Qt::CaseInsensitive);
        const QString file  = complete ? files[0] : files[0] + m_suffix;
        if (!complete) {
            selectFile(file);
            // Qt does not update a focused name field, and would return the name without its
            // suffix.
            if (auto* name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit")))
                name->setText(directory().relativeFilePath(file));
        }
        const bool desktops = testAttribute(Qt::WA_DontShowOnScreen);   // Qt's own dialog instead of the desktop's
        if (QFileInfo::exists(file) && !(desktops && complete))
            askToReplace(file, desktops);
        else
            QFileDialog::accept();
    }

private:
    void askToReplace(const QString& file, bool desktops)
    {
        const QFileInfo info(file);
        auto* question = new Sheet(
            QStringLiteral("replaceFile"), tr("Replace the file?"),
            tr("%1 already exists in %2.").arg(info.fileName(), QDir::toNativeSeparators(info.absolutePath())),
            desktops ? parentWidget() : this);
        question->addAnswer(tr("&Replace"), QStringLiteral("replace"), [this] {
            setOption(DontConfirmOverwrite);   // it was answered here
            QFileDialog::accept();
        });
        if (desktops)   // the dialog has already closed: opens it again to choose another name
            connect(question, &QDialog::rejected, this, [this] {
                hide();
                open();
            });
        question->open();
    }

    const QString m_suffix;
};

void ask(QFileDialog* dialog, QWidget* parent, std::function<void(const QString&)> go)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [go = std::move(go)](const QString& path) {
        write(settings::lastFolder, QFileInfo(path).path());
        go(path);
    });
    dialog->open();
}

}   // namespace

void askForFile(const QString& title, const QString& filter, QWidget* parent, std::function<void(const QString&)> go)
{
    auto* dialog = new QFileDialog(parent, title, read(settings::lastFolder), filter);
    dialog->setFileMode(QFileDialog::ExistingFile);
    ask(dialog, parent, std::move(go));
}

void askWhereToSave(const QString& title, const QString& filter, const QString& name, const QString& suffix,
                    QWidget* parent, std::function<void(const QString&)> go)
{
    auto* dialog = new SaveDialog(parent, title, filter, suffix);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->selectFile(name);
    ask(dialog, parent, std::move(go));
}

void askForFolder(const QString& title, const QString& from, QWidget* parent, std::function<void(const QString&)> go)
{
    auto* dialog = new QFileDialog(parent, title, from.isEmpty() ? read(settings::lastFolder) : from);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    ask(dialog, parent, std::move(go));
}

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
