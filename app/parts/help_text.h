// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

/// A help text in which the formulas of resources/formulas.json are typeset: pictures in the colour
/// and size of the text, which follow theme and text size. Screen readers and the clipboard get
/// them as text. If Credence was built without matplotlib, formulas stay text.
class HelpText : public QTextBrowser {
    Q_OBJECT
public:
    explicit HelpText(QWidget* parent);
    void showHtml(const QString& html);
    void showMarkdown(const QString& markdown);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QMimeData* createMimeDataFromSelection() const override;

private:
    void typeset();
    void draw();
};
