// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/ask_path.h"

#include "session/settings.h"

#include <QFileDialog>

namespace {

/// A name of another kind gets the suffix behind it, before the dialog asks whether a file of that name may be replaced: none says it is what it is not.
class SaveDialog : public QFileDialog {
public:
    using QFileDialog::QFileDialog;

    void accept() override
    {
        const QStringList files = selectedFiles();
        if (files.size() == 1 && !QFileInfo(files[0]).isDir()
            && !files[0].endsWith('.' + defaultSuffix(), Qt::CaseInsensitive))
            selectFile(files[0] + '.' + defaultSuffix());
        QFileDialog::accept();
    }
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
    auto* dialog = new SaveDialog(parent, title, read(settings::lastFolder), filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(suffix);
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
