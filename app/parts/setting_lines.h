// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QScrollArea>
#include <QToolButton>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace credence {
struct ChartPalette;
enum class Symbol;
}   // namespace credence

/// One part of a form as a line that opens its settings: a small picture, the name of the part, and
/// one sentence with its settings.
class SettingLine : public QToolButton {
    Q_OBJECT
public:
    using Picture = std::function<void(QPainter& painter, const QRectF& box, const credence::ChartPalette& colours)>;

    /// @param name  the object name is "section/NAME"
    SettingLine(const QString& name, const QString& title, QWidget* parent);

    void describe(const QString& sentence, Picture picture);
    void describe(const QString& sentence, credence::Symbol symbol);
    const QString& sentence() const { return m_sentence; }
    /// Marks the line because a setting is wrong or unusual. @param words  empty: removes the mark
    void warn(const QString& words);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect pictureBox() const;
    QRect words() const;

    QString m_sentence, m_warning;
    Picture m_picture;
};

/// A line, and below it the controls of its settings.
class SettingCard : public QFrame {
    Q_OBJECT
public:
    SettingCard(const QString& name, const QString& title, QWidget* parent);

    SettingLine& line() const { return *m_line; }
    QWidget* body() const { return m_body; }
    QVBoxLayout& rows() const { return *m_rows; }   ///< of the body
    /// Adds a row with a label and a control. @return  the row
    QWidget* addField(const QString& label, QWidget* control);
    enum class State { closed, open, body_only };
    void setState(State state);
    bool isOpen() const { return m_state != State::closed; }

signals:
    void openRequested(bool open);

private:
    SettingLine* m_line;
    QWidget* m_body;
    QVBoxLayout* m_rows;
    State m_state = State::closed;
};

/// A scroll area for setting lines or the form of a dialog. It is as wide as its contents; it
/// scrolls horizontally only if that exceeds a share of the window.
class LineScroll : public QScrollArea {
public:
    explicit LineScroll(QWidget* parent, double mostOfWindow = 0.4);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    double m_mostOfWindow;
};

/// Cards in a column; at most one is open.
class SettingLines : public LineScroll {
    Q_OBJECT
public:
    explicit SettingLines(QWidget* parent);

    SettingCard& add(const QString& name, const QString& title);   ///< the first one is open
    void addBelow(QWidget* widget);                                ///< is always shown
    void open(const SettingCard* card);                            ///< and closes the others; null: closes all
    void setEditable(bool editable);                               ///< otherwise the settings are read-only

private:
    std::vector<SettingCard*> m_cards;
    QVBoxLayout* m_column;
};
