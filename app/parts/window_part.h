// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QAction;
class QLabel;
class QToolButton;
class QuietParts;

/// One part of the window with a title line, for example the Study, the selected input or the runs.
/// It can be folded to its title or moved to its own window. The workbench places it.
class WindowPart : public QFrame {
    Q_OBJECT
public:
    /// Property of lists: on the stage they get the height of their size hint instead of a fixed
    /// share.
    static constexpr auto asHighAsItsRows = "asHighAsItsRows";

    WindowPart(const QString& name, const QString& title, QWidget* content);

    QWidget* content() const { return m_content; }
    const QString& title() const { return m_title; }
    QAction* toggle() const { return m_toggle; }   ///< shows or hides the part
    bool isOpen() const { return m_open; }         ///< see Workbench::isOpen
    void setOpen(bool open);                       ///< asks the workbench

    // For the workbench only.
    enum class Header { none, foldable, closable };
    void setHeader(Header header);
    void setFolded(bool folded);
    void markOpen(bool open);
    int headerHeight() const;

signals:
    void openRequested(bool open);
    void windowRequested();   ///< requests that the part move to its own window
    void openChanged(bool open);

protected:
    void changeEvent(QEvent* event) override;

private:
    void describe();

    QString m_title;
    QWidget* m_content;
    QWidget* m_header;
    QToolButton *m_fold, *m_float;
    QuietParts* m_quiet;   ///< the second button
    QAction* m_toggle;
    Header m_kind = Header::foldable;
    bool m_folded = false, m_open = true;
};

/// A window for a part that was moved out of the main window. Closing it returns the content.
class OwnWindow : public QWidget {
public:
    /// @param closed  returns the content
    OwnWindow(QWidget& content, const QString& title, std::function<void()> closed, QWidget* mainWindow);

private:
    void closeEvent(QCloseEvent* event) override;

    std::function<void()> m_closed;
};
