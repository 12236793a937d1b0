// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/selection.h"
#include "session/view_scheduler.h"
#include "views/attacker.h"
#include "work/worker.h"

#include <QLabel>
#include <QObject>
#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace credence {
struct Chart;
struct Experiment;
}   // namespace credence
class ChangedRow;
class ImageWorkbench;
class InputRanking;
class LogitSource;
class NumberSlider;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QScrollArea;
class QSpinBox;
class QSplitter;
class QToolButton;
class ViewBinder;
class ViewArea;
class ViewRequests;
class WhatIf;
struct AppContext;
struct ImageRequest;

/// Strength, kind and gradient of an attack. Moving the slider attacks the selected input, and the
/// result becomes the selected input, like a perturbed image; 0 restores the original. An input
/// selected elsewhere is not attacked until the slider moves.
class AttackControl : public QWidget {
    Q_OBJECT
public:
    AttackControl(AppContext& context, QWidget* parent);

    void fit(const credence::Experiment& experiment, bool otherData);   ///< strengths that suit these data
    bool busy() const { return m_worker.busy() || m_rest.isActive(); }

signals:
    void failed(const QString& sentence);   ///< the selected input could not be attacked and is unchanged

private:
    QComboBox* addBox(const QString& name, const QString& title, const QString& tip);
    void notify();   ///< kind and gradient
    void attack(double epsilon);
    void take(credence::AttackedInput attacked);
    void choose(bool moving);
    void takeBack();
    void releaseInput();   ///< ends the attack, because another input was selected

    AppContext& m_context;
    NumberSlider* m_epsilon;
    QComboBox *m_kind, *m_gradient;
    std::optional<ChosenInput> m_origin;   // the selected input before its attack; empty: it is not attacked
    credence::AttackedInput m_attacked;
    bool m_choosing = false;   // this control is changing the selected input
    QTimer m_rest;             // until the slider has stopped
    Worker m_worker;           // last: its thread ends first
};

/// The page *Image* of the selected input: a drawn or modified image becomes the selected input, and
/// its charts are on the page.
class ImageTab : public QObject {
    Q_OBJECT
public:
    ImageTab(AppContext& context, ViewBinder& binder, QWidget* parent);
    ImageWorkbench* workbench() const { return m_workbench; }

private:
    void take(const ImageRequest& request);
    void followSelection();
    std::vector<ViewScheduler::Request> wanted(int samples);

    AppContext& m_context;
    ImageWorkbench* m_workbench;
};

/// The threshold of the uncertainty-aware top-k, for the selected input and the list lengths of the
/// test set.
class TopKControl : public QWidget {
    Q_OBJECT
public:
    TopKControl(double threshold, QWidget* parent);

signals:
    void thresholdChanged(double threshold);
};

/// Text as high as its wrapped lines, at every width and font; it takes no part in the width of its
/// parent.
class WrappedLabel : public QLabel {
public:
    explicit WrappedLabel(QWidget* parent);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
};

/// Shows the view *Verdict* of the selected input in the label while the label is visible.
/// @param places  prefix of the names of its requests
/// @param shown   called after each change of its text
void showVerdictIn(QLabel* label, const QString& places, ViewRequests& requests, ViewBinder& binder,
                   std::function<void(const credence::Chart&)> shown = {});

/// The selected input: its description, row and prediction (for a table in *What if*), and the
/// views of a single input.
class InputDock : public QWidget {
    Q_OBJECT
public:
    InputDock(AppContext& context, ViewBinder& binder, LogitSource& logitSource, InputRanking& ranking, ChangedRow& row,
              QWidget* parent);
    ImageWorkbench* workbench() const;
    ViewArea* views() const { return m_views; }

signals:
    void imagesShown(bool images);          ///< other data are displayed; images need more space
    void failed(const QString& sentence);   ///< a request about the selected input has failed
    void tableShown(bool table);            ///< with *What if*, which needs more height, or without
    void rowsRequested();                   ///< the table of test rows

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildRow();
    QWidget* buildSweep();
    void shareHeight();
    void fit(const std::shared_ptr<const credence::Experiment>& experiment, bool otherData);
    void fitImages(bool images);
    void describe();
    void describeRow(const credence::Experiment& experiment);
    void describePoint(const credence::Experiment& experiment);
    void showRow(bool outside, const QString& words);

    AppContext& m_context;
    QLabel* m_words;
    QLabel* m_verdict;   ///< of an input without *What if*
    QSpinBox* m_row;
    QToolButton* m_toRows;
    WhatIf* m_whatIf;
    ViewArea* m_views;
    QSplitter* m_halves;   ///< of these two
    QScrollArea* m_scroll;
    bool m_sharedByHand = false, m_restored = false;
    ImageTab* m_image;
};

/// The prediction for the selected row of a table, and *What if*: one control per input, the most
/// influential first, starting from the values of that row. Moving a control changes the row, see
/// ChangedRow.
class WhatIf : public QWidget {
    Q_OBJECT
public:
    WhatIf(AppContext& context, ViewBinder& binder, InputRanking& ranking, ChangedRow& row, QWidget* parent);

    void fit(const credence::Experiment& experiment, bool otherData);
    /// The height for the prediction and enough controls for comfortable use.
    int comfortableHeight() const;

signals:
    void comfortChanged();   ///< see comfortableHeight

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// The control of one input: a slider for a number, a list for a category.
    struct Line {
        std::size_t input;   ///< of the row
        QLabel* name;
        NumberSlider* number;   ///< null: a category
        QComboBox* category;    ///< null: a number

        QWidget* control() const;
    };
    void buildHead();
    void clearLines();
    Line& lineFor(std::size_t input);
    Line makeLine(std::size_t input);
    void placeLines();
    void showName(const Line& line);
    void fitText();
    void fitWidth();
    void orderTabs(const std::vector<QWidget*>& controls);
    void countAnswers(const credence::Chart& chart);
    void showValues();
    void showValue(const Line& line);
    void change(std::size_t input, double value);

    ViewBinder& m_binder;
    InputRanking& m_ranking;
    ChangedRow& m_row;
    QLabel *m_title, *m_verdict, *m_more;
    QToolButton* m_reset;
    QLineEdit* m_search;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    std::size_t m_answers = 0;        ///< lines of the prediction
    std::vector<Line> m_lines;        ///< in the order in which they were made
    bool m_stacked       = false;     ///< names above their controls, where these have no room next to them
    const Line* m_moving = nullptr;   ///< whose control is being moved
};
