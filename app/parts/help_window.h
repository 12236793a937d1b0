// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/keyboard.h"

#include <QDialog>

#include <utility>
#include <vector>

class HelpText;
class QLineEdit;
class QListWidget;
class QTextDocument;

/// Writes an A4 PDF atomically. @return  what is wrong; empty: nothing
QString saveAsPdf(const QTextDocument& text, const QString& file);

/// F1: getting started, the views, the glossary, the list of keys. Stays open next to the window.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent);
    void setShortcuts(std::vector<KeyLine> keys) { m_keys = std::move(keys); }
    std::vector<std::pair<QString, QString>> topics() const;   ///< id and title
    void openTopic(const QString& topic);                      ///< "getting_started", "views", "glossary", "keys"

private:
    void showTopic(int row);
    QWidget* keysRow();
    void printKeys();

    QListWidget* m_topics;
    HelpText* m_text;
    QWidget* m_keysRow = nullptr;   // above the table of keys
    QLineEdit* m_words = nullptr;
    std::vector<KeyLine> m_keys;
};
