// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"

#include <QWidget>

class MistakeLabel;
class QDoubleSpinBox;
class QLabel;

/// μ and Σ of a Gaussian over three logits in number boxes; only the lower half of Σ.
class LawBoxes : public QWidget {
    Q_OBJECT
public:
    explicit LawBoxes(QWidget* parent = nullptr);

    void setNames(const QStringList& names);
    void setLaw(const credence::LogitGaussian& law);
    void setMistake(const QString& sentence);   ///< empty: none

signals:
    void edited(const credence::LogitGaussian& law, const QString& what);

private:
    void read(const QString& what);

    QLabel* m_names[3];
    QDoubleSpinBox* m_mu[3];
    QDoubleSpinBox* m_sigma[3][3] = {};   ///< lower triangle
    MistakeLabel* m_mistake;
    std::vector<double> m_meanValues{0, 0, 0},
        m_covariance{1, 0, 0, 0, 1, 0, 0, 0, 1};   ///< full precision; the boxes show rounded values
};
