// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QToolButton>

/// A button that opens a menu, marked by a ▾ after its text; the style's own arrow would cover the
/// end of the text.
class MenuButton : public QToolButton {
    Q_OBJECT
public:
    MenuButton(const QString& text, QMenu* menu, QWidget* parent);
    void setLabel(const QString& text);   ///< the ▾ is added

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};

/// A flat button whose tooltip is also its accessible name.
QToolButton* toolButton(const QString& name, const QString& tip, QWidget* parent);

/// The appearance of a primary button, in the selection colour: an icon, the text, and in smaller
/// type an expected time.
struct PrimaryLook {
    QString icon = QStringLiteral("train"), time{};

    static QSize sizeOf(const QAbstractButton& button, const QString& time);
    void paint(QAbstractButton& button) const;
};

/// The primary button of a page; each page has one.
class PrimaryButton : public QPushButton {
public:
    using QPushButton::QPushButton;

    QSize sizeHint() const override { return PrimaryLook::sizeOf(*this, {}); }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};
