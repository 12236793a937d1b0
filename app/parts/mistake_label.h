// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

/// One sentence about a mistake, in a red that can be read on the palette's ground, whichever theme is on. Hidden while it is empty.
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
