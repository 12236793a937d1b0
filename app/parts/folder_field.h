// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

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
