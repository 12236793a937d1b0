// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;

/// Stands where a picture will be, or would be: why there is none, or how far it is.
class WaitingPage : public QWidget {
    Q_OBJECT
public:
    /// @param name  of the label with the sentence
    WaitingPage(const QString& name, QWidget* parent);

    void say(const QString& sentence);   ///< nothing is being done
    /// @param share  that is done; empty: nobody knows
    void wait(const QString& sentence, std::optional<double> share);
    QString sentence() const;

private:
    QLabel* m_sentence;
    QProgressBar* m_bar;
};
