// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

/// One error sentence in a red that is readable in every theme. Hidden while empty.
class MistakeLabel : public QLabel {
    Q_OBJECT
public:
    MistakeLabel(const QString& name, QWidget* parent);

    void setMistake(const QString& sentence);
    static QColor red(const QPalette& palette);   ///< for text on its ground

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintRed();
};
