// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

/// F1: getting started, the views, the glossary, the list of keys. Stays open beside the window.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent);
    void setShortcuts(const QString& html) { m_shortcuts = html; }
    void openTopic(const QString& topic);   ///< "getting_started", "views", "glossary", "keys"

private:
    void showTopic(int row);

    QListWidget* m_topics;
    QTextBrowser* m_text;
    QString m_shortcuts;
};
