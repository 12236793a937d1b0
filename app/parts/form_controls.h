// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLayout>
#include <QString>
#include <QStringList>

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

class QAbstractSpinBox;
class QPushButton;
class QSpinBox;
class QWidget;

/// One line of text that ends in "…" if it does not fit.
class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Sets a control's object name (for tests), accessible name and tooltip.
void describeControl(QWidget* control, const QString& name, const QString& label, const QString& tip);
/// The same for a number box, which commits after typing, not at each digit.
void describeBox(QAbstractSpinBox* box, const QString& name, const QString& label, const QString& tip);
/// A number box for integers from `low` to `high`.
QSpinBox* countBox(const QString& name, const QString& label, const QString& tip, int value, int low, int high,
                   QWidget* parent);
/// A flat button for work in progress, hidden until there is something to show; in a status bar, at
/// its right end. @param tip  what a click does
QPushButton* workButton(const QString& name, const QString& tip, QWidget* parent);
/// Adds hidden labels with the accessible name to combo boxes without a visible label: on Linux Qt
/// reports a box by its label and value and ignores the name. Idempotent.
void labelBoxes(QWidget& window);
/// A label followed by a control, as one widget for a FlowLayout.
QWidget* labelled(const QString& label, QWidget* control, QWidget* parent);

QStringList typedWords(const QString& typed);   ///< of a search, in any case of letters
/// The text as it is searched for typed words: in any case of letters, and Greek letters also by
/// their names.
QString searchedText(const QString& text);
bool hasAllWords(const QString& text, const QString& typed);   ///< of a search

/// Creates the box for the maximum length of an uncertainty-aware top-k list; 0, shown as "≤ all",
/// means no limit. @param name  of the widget
QSpinBox* longestListBox(const QString& name, int longest, QWidget* parent);

/// Lays out controls in lines like words in a paragraph; a narrow window has more lines. Hidden
/// controls take no space.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr) : QLayout(parent) { setSpacing(3); }
    ~FlowLayout() override;

    /// This widget stays at the right end of the first line.
    void keepAtEnd(const QWidget* widget) { m_atEnd = widget; }
    /// Controls become as narrow as this share of their width where that saves a line.
    void setLeastShare(double share) { m_leastShare = share; }
    void addItem(QLayoutItem* item) override { m_items.push_back(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool move) const;   ///< @return the height that is needed
    /// @param share  of its width that a control keeps if its minimum allows
    int placeWith(double share, const QRect& rect, bool move) const;
    QLayoutItem* itemAtEnd() const;   ///< null: there is none, or it is hidden

    QList<QLayoutItem*> m_items;
    const QWidget* m_atEnd = nullptr;
    double m_leastShare    = 1;
};
