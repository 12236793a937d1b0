// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace credence {
struct Study;
}

/// Selects one setting of a Study: a text field to search by name, and a list by group and label,
/// with effective settings first.
class SettingBox : public QComboBox {
    Q_OBJECT
public:
    explicit SettingBox(QWidget* parent = nullptr);

    void listSettingsOf(const credence::Study& study);   ///< what is chosen stays
    QString path() const;                                ///< of the field; empty: none is chosen
    void setPath(const QString& path);                   ///< without a signal
    static QString titleOf(const QString& path);         ///< "Training › Learning rate η"

signals:
    void settingChosen(const QString& path);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeTyped();
    void take(int row);

    QString m_path;
};
