// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;

/// Shown instead of a chart: why there is none, or its progress.
class WaitingPage : public QWidget {
    Q_OBJECT
public:
    /// @param name  of the label with the sentence
    WaitingPage(const QString& name, QWidget* parent);

    void notify(const QString& sentence);   ///< nothing is being done
    /// @param share  finished fraction; empty: unknown
    void wait(const QString& sentence, std::optional<double> share);
    QString sentence() const;

private:
    QLabel* m_sentence;
    QProgressBar* m_bar;
};
