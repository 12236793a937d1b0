// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPointer>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;

/// A question at the top of the window, or over the part of the window that it concerns. The window
/// is dimmed and waits for the answer.
/// Enter and Escape choose the harmless answer, *Back*, which is the last button. The sheet deletes
/// itself.
class Sheet : public QDialog {
    Q_OBJECT
public:
    /// @param name  object name; see `isOpen`
    Sheet(const QString& name, const QString& title, const QString& text, QWidget* window);
    ~Sheet() override;

    /// Raises an open sheet of this name. @return false: there is none
    static bool isOpen(const QString& name, const QWidget* window);

    /// Places the sheet over the part of the window where the question arose.
    void setCause(QWidget* part);
    /// Adds a button, left of *Back*, that closes the sheet and then acts.
    QPushButton* addAnswer(const QString& text, const QString& name, std::function<void()> act);
    /// Makes Enter choose this answer instead of *Back*: for questions where no data can be lost.
    void answerByEnter(QPushButton* answer);
    void addContent(QWidget* content);   ///< controls above the answers
    void setText(const QString& text);
    void setDetails(const QString& details);   ///< further lines below the text; empty: none
    QString text() const;
    QString details() const;
    QPushButton* back() const { return m_back; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QLabel *m_title, *m_text, *m_details;
    QHBoxLayout* m_answers;
    QPushButton *m_back, *m_byEnter;
    QPointer<QWidget> m_shade;   // over the window
    QPointer<QWidget> m_cause;   ///< null: the whole window
};
