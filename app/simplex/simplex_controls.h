// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"
#include "views/views.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class MistakeLabel;
class QDoubleSpinBox;
class QLabel;

/// μ and Σ of a Gaussian over three logits in number boxes; only the lower half of Σ.
class LogitBoxes : public QWidget {
    Q_OBJECT
public:
    explicit LogitBoxes(QWidget* parent = nullptr);

    void setNames(const QStringList& names);
    void setLogits(const credence::LogitGaussian& logits);
    void setMistake(const QString& sentence);   ///< empty: none

signals:
    void edited(const credence::LogitGaussian& logits, const QString& what);

protected:
    void changeEvent(QEvent* event) override;

private:
    void read(const QString& what);

    QLabel* m_names[3] = {};
    QDoubleSpinBox* m_mu[3];
    QDoubleSpinBox* m_sigma[3][3] = {};   ///< lower triangle
    MistakeLabel* m_mistake;
    std::vector<double> m_meanValues{0, 0, 0},
        m_covariance{1, 0, 0, 0, 1, 0, 0, 0, 1};   ///< full precision; the boxes show rounded values
};

class QButtonGroup;
class QCheckBox;
class QComboBox;

/// Source of the Gaussian over the logits.
enum class SimplexSource { by_hand, chosen_input };

/// The controls of the page *Simplex*: source, bridge, drawing options, and the classes at the
/// corners.
class SimplexControls : public QWidget {
    Q_OBJECT
public:
    /// @param pictureTools  placed next to the drawing options
    SimplexControls(QWidget* pictureTools, QWidget* parent);

    /// The drawing options.
    credence::SimplexChoice choice() const;

    // Sends no signal.
    void setPage(int page);   ///< 0 triangle, 1 Beta
    void setSource(SimplexSource source);
    void setVariant(credence::BridgeVariant variant);
    void setClasses(const QStringList& names);   ///< classes of the selected input
    /// Shows these classes where the most probable ones are requested.
    void showCorners(const std::vector<int>& classes);
    void fitTo(int width);   ///< Uses as many lines as this width requires.

signals:
    void pageChosen(int page);
    void sourceChosen(SimplexSource source);
    void presetChosen(int index);
    void variantChosen(credence::BridgeVariant variant);
    void choiceChanged();

private:
    QWidget* buildPages();
    QWidget* buildLogits();
    QWidget* buildBridge();
    QWidget* buildDrawing();
    QWidget* buildMarks(QWidget* pictureTools);
    QWidget* buildClasses();
    void fitClasses();

    QStringList m_classNames;
    int m_width = 600;   ///< until known
    std::vector<QWidget*> m_ofTriangle;
    QWidget* m_classRow         = nullptr;
    QButtonGroup* m_pageButtons = nullptr;
    QComboBox *m_source = nullptr, *m_variant = nullptr, *m_layoutChoice = nullptr, *m_scaling = nullptr,
              *m_others = nullptr;
    QCheckBox *m_lines = nullptr, *m_draws = nullptr, *m_mostProbable = nullptr;
    QComboBox* m_corners[3] = {};
};
