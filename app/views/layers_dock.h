// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/options.h"

#include <QWidget>

#include <functional>
#include <memory>

class MistakeLabel;
class NumberSlider;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;
class StudyDocument;

/// Changes a Laplace approximation after training: prior precision by slider, number, evidence or
/// target confidence, and curvature structure. If the Study belongs to the displayed run, the Study
/// is edited so that each change can be undone; otherwise only the run changes.
class LaplacePanel : public QWidget {
    Q_OBJECT
public:
    explicit LaplacePanel(StudyDocument& document, QWidget* parent = nullptr);

signals:
    void refused(const QString& sentence);   ///< the typed text is not a precision

private:
    void describeControls();
    void addSettings(QVBoxLayout* column);
    void addButtons(QVBoxLayout* column);
    void connectControls();
    void refresh();
    void refreshProgress();
    void matchConfidence();
    void markTarget(const QString& sentence);   ///< empty: no mistake
    /// @param mergeKey  the same during one drag of the slider, which thus becomes one undo step;
    ///        empty: a separate step
    /// @param words     text of that step; empty: the setting that has changed
    void request(const QString& mergeKey, const std::function<void(credence::LaplaceOptions&)>& change,
                 const QString& words = {});
    credence::LaplaceOptions options() const;

    StudyDocument& m_document;
    NumberSlider* m_precision;
    QComboBox* m_structure;
    QComboBox* m_layers;
    QPushButton* m_evidence;
    QPushButton* m_confidence;
    QLineEdit* m_target;
    MistakeLabel* m_mistake;   // of the target
    QPushButton* m_fit;
    QPushButton* m_keep;
    QStackedWidget* m_below;   // buttons, or progress
    QProgressBar* m_progress;
    QLabel* m_words;
};

namespace credence {
struct Experiment;
}
class Notifier;
class ViewBinder;
class ViewArea;
struct AppContext;

/// Each layer's weights: current, over training, and the evidence of a Laplace approximation.
class LayersDock : public QWidget {
    Q_OBJECT
public:
    LayersDock(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent);

private:
    void fit(const std::shared_ptr<const credence::Experiment>& experiment);

    ViewBinder& m_binder;
    ViewArea* m_views;
    LaplacePanel* m_laplace;
    bool m_wasLaplace = false;
};
