// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

/// A text view with the height of its text, for a page that scrolls as a whole.
class LessonText : public QTextBrowser {
    Q_OBJECT
public:
    explicit LessonText(QWidget* parent);

private:
    void fitHeight();
};
