// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

/// The look of a primary button, in the colour of the selection: an icon, the text, and smaller an
/// expected time.
struct PrimaryLook {
    QString icon = QStringLiteral("train"), time{};

    static QSize sizeOf(const QAbstractButton& button, const QString& time);
    void paint(QAbstractButton& button) const;
};

/// The one primary button of a page.
class PrimaryButton : public QPushButton {
public:
    using QPushButton::QPushButton;

    QSize sizeHint() const override { return PrimaryLook::sizeOf(*this, {}); }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};
