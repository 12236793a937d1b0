// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

/// Edits the name of an image data set or a path: a text field, and a list of the installed sets,
/// updated whenever it opens.
class DataSetBox : public QComboBox {
    Q_OBJECT
public:
    /// @param emptyMeaning  meaning of an empty field; empty if it has none
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
