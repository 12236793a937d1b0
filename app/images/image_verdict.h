// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QWidget>

class QLabel;

/// The prediction for an image in words: a separate headline, and both criteria of certainty.
class ImageVerdict : public QWidget {
    Q_OBJECT
public:
    explicit ImageVerdict(QWidget* parent);

    void setVerdict(const credence::Chart& verdict);   ///< chart of the view with that name
    QLabel* headline() const { return m_headline; }

protected:
    void changeEvent(QEvent* event) override;

private:
    credence::Chart m_verdict;   ///< displayed chart
    QLabel* m_headline;
    QLabel* m_criteria[2];
    QString m_sentences[2];
};
