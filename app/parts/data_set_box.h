// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

/// Takes the name of a data set of images or a path: a line to type into, and a list of what is at hand, looked up whenever it opens.
class DataSetBox : public QComboBox {
    Q_OBJECT
public:
    /// @param emptyMeaning  what an empty line stands for; empty if it stands for nothing
    explicit DataSetBox(const QString& emptyMeaning, QWidget* parent = nullptr);

    void showPopup() override;

signals:
    void chosen(const QString& name);
    void dataSetsRequested();   ///< the entry below the sets

private:
    void choose(int index);

    QString m_emptyMeaning;
    QString m_before;   // the text when the list opened
};
