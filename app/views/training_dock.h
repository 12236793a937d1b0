// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/view_area.h"
#include "views/views.h"

#include <QWidget>

class QComboBox;
class QSpinBox;

/// Selects the highlighted draws of chains: divergent draws, those of a range of steps, or none.
class ChainSelectionControl : public QWidget {
    Q_OBJECT
public:
    explicit ChainSelectionControl(QWidget* parent);

    credence::ChainSelection selection() const;
    void chooseSteps(long from, long to);               ///< as if by hand
    void fit(const credence::Experiment& experiment);   ///< a range that its chains have

signals:
    void changed();

private:
    void notify();

    QComboBox* m_which;
    QWidget* m_range;
    QSpinBox *m_from, *m_to;
};

class ViewChoices;

/// Quantity and axis of the curves of all ticked runs.
class CurveControl : public QWidget {
    Q_OBJECT
public:
    CurveControl(ViewChoices& choices, QWidget* parent);
};

class MainTabs;
class RowsPanel;
struct AppContext;

/// Training progress, and results on the test set.
class TrainingDock : public ViewArea {
    Q_OBJECT
public:
    TrainingDock(AppContext& context, ViewBinder& binder, MainTabs& centre, QWidget* parent);

private:
    void addRows(AppContext& context, ViewBinder& binder);
    void addLongest(AppContext& context, ViewBinder& binder);
    void addResample(AppContext& context, ViewBinder& binder);
    void connectSelection(AppContext& context, ViewBinder& binder);

    ChainSelectionControl* m_selection;
    RowsPanel* m_rows;
    double m_pressedAt    = 0;   // on the axis of the trace's steps
    bool m_selectingSteps = false;
};

class QLabel;
class QSlider;
class QToolButton;
class QuietParts;
class Session;

/// A slider over the recorded steps of the displayed run. It moves all views to that step; at its
/// right end they follow the newest one. Until there are two steps, only its space is kept.
class TimeMachine : public QWidget {
    Q_OBJECT
public:
    explicit TimeMachine(Session& session, QWidget* parent = nullptr);
    void move(int by);   ///< recorded steps, negative: back

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void fitWords();
    void fitHeight();

    Session& m_session;
    QSlider* m_slider;
    QLabel* m_step;
    QToolButton* m_newest;
    QuietParts* m_quiet;
    QString m_words, m_shortWords, m_longestWords;   ///< of the shown step, and of the last one
};
