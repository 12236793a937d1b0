// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <functional>

class QWidget;

// Non-blocking file dialogs; `go` is called with the chosen path. The next dialog starts in the
// last folder.

void askForFile(const QString& title, const QString& filter, QWidget* parent, std::function<void(const QString&)> go);
/// @param name    default file name
/// @param suffix  appended to a name without it
void askWhereToSave(const QString& title, const QString& filter, const QString& name, const QString& suffix,
                    QWidget* parent, std::function<void(const QString&)> go);
/// @param from  initial folder; empty: the last one
void askForFolder(const QString& title, const QString& from, QWidget* parent, std::function<void(const QString&)> go);

class QLineEdit;

/// The folder for exported files: typed or browsed, initially the last one.
class FolderField : public QWidget {
    Q_OBJECT
public:
    explicit FolderField(QWidget* parent);
    QWidget* editor() const;   ///< for the label
    QString path() const;      ///< the absolute path of what is typed; ~ is the home folder
    QString mistake() const;   ///< why no file can be written there; empty: none
    /// Creates the folder and remembers it. @return  why that failed; empty: it exists now
    QString create() const;

signals:
    void changed();

private:
    QLineEdit* m_typed;
};
