// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QToolButton;

/// A column of buttons, each an icon above a word: the workspaces, or the contents of a folded
/// panel.
class Rail : public QWidget {
    Q_OBJECT
public:
    /// @param prefix  of the names of the buttons: "prefix/id"
    Rail(const QString& prefix, const QString& accessibleName, QWidget* parent);

    /// @param icon  name of an icon
    QToolButton* add(const QString& id, const QString& title, const QString& icon, const QString& tip);
    void setCurrent(const QString& id);   ///< empty: none
    QString current() const { return m_current; }
    /// Marks an entry with a dot while its panel is open next to the current entry.
    /// @param state  the words for a screen reader and the tooltip; empty: the panel is closed
    void setOpen(const QString& id, const QString& state);
    bool isOpen(const QString& id) const { return m_open == id; }
    /// @param why  why the entry is not available; empty: it is available
    void setWhyNot(const QString& id, const QString& why);
    QString whyNot(const QString& id) const;
    /// Shows icons without words if there is too little space.
    void fit(bool narrow, int height);
    bool narrow() const { return m_narrow; }

signals:
    void chosen(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* button, QEvent* event) override;

private:
    struct Entry {
        QString id, tip;
        QToolButton* button;
    };
    void shape();

    QString m_prefix, m_current, m_open;
    std::vector<Entry> m_entries;
    bool m_narrow = false;
};
