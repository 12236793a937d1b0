// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/toasts.h"

#include <QObject>
#include <QStatusBar>

struct AppContext;

/// A status bar whose sentence is elided with "…" if the parts to its right leave too little space;
/// its tooltip has the whole sentence.
class StatusLine : public QStatusBar {
public:
    explicit StatusLine(QWidget* parent);
    void letGiveWay(QWidget* part) { m_givesWay = part; }   ///< hides this part if the others need its space
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* m_givesWay = nullptr;
};

/// Notifications of the window: briefly in the status bar, or as cards over the lower right corner
/// of the charts. Never a modal dialog.
class Notifier : public QObject {
    Q_OBJECT
public:
    Notifier(AppContext& context, Toasts* toasts, QStatusBar* line);

    void notify(const QString& sentence);
    void takeBack(const QString& sentence);   ///< removes the sentence if it is still shown
    void clearStatus();                       ///< called when reading has finished
    /// Shows an error until it is closed or no longer true.
    void keep(const QString& sentence, const Toasts::Offers& offers = {},
              Toasts::Until until = Toasts::Until::other_data);
    /// Shows news for some seconds, after questions and errors, replacing older news.
    void note(const QString& sentence, const Toasts::Offers& offers = {},
              Toasts::Until until = Toasts::Until::other_data);
    void ask(const QString& question, const Toasts::Offers& answers);   ///< stays until it is answered
    void hide() { m_toasts.clear(); }                                   ///< all but the questions
    QString kept() const { return m_toasts.text(); }

private:
    Toasts& m_toasts;
    QStatusBar& m_line;
};
