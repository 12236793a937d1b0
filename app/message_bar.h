// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;

/// A line above the pictures that says what went wrong or what can be done next. Never a modal box.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    struct Offer {
        QString text;
        std::function<void()> accept;
    };
    explicit MessageBar(QWidget* parent = nullptr);
    void say(const QString& sentence, const std::vector<Offer>& offers = {});
    QString text() const;

private:
    QLabel*      m_text;
    QHBoxLayout* m_offers;
};
