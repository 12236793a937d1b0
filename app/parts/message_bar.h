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
    /// How long a message is true.
    enum class Until {
        other_data,   ///< until the Study has other data, or it is closed
        next_step,    ///< until something is done or undone: it offers to take back the last step
    };
    void say(const QString& sentence, const std::vector<Offer>& offers = {}, Until until = Until::other_data);
    void happened(Until what);   ///< what is no longer true goes
    QString text() const;

private:
    QLabel* m_text;
    QHBoxLayout* m_offers;
    QWidget* m_close;
    Until m_until = Until::other_data;
};
