// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/view_scheduler.h"

#include <QObject>
#include <QWidget>

#include <memory>

namespace credence {
struct Experiment;
}
class ImageWorkbench;
class LogitSource;
class QLabel;
class QSpinBox;
class QToolButton;
class ViewBinder;
class ViewTabs;
struct AppContext;
struct ImageRequest;

/// The tab *Image* of the selected input: a drawn or modified image becomes the selected input, and
/// its charts are inside the tab.
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

/// The selected input: its description, its row, and the views of a single input.
class InputDock : public QWidget {
    Q_OBJECT
public:
    InputDock(AppContext& context, ViewBinder& binder, LogitSource& logitSource, QWidget* parent);
    ImageWorkbench* workbench() const;
    ViewTabs* tabs() const { return m_tabs; }

signals:
    void imagesShown(bool images);          ///< of other data than before: more room is wanted, or less
    void failed(const QString& sentence);   ///< what was asked of the chosen input
    void rowsRequested();                   ///< the table of test rows

private:
    QWidget* buildRow();
    QWidget* buildSweep();
    void fit(const std::shared_ptr<const credence::Experiment>& experiment);
    void fitImages(bool images);
    void describe();
    void describeRow(const credence::Experiment& experiment);
    void describePoint(const credence::Experiment& experiment);
    void showRow(bool outside, const QString& words);

    AppContext& m_context;
    QLabel* m_words;
    QSpinBox* m_row;
    QToolButton* m_toRows;
    ViewTabs* m_tabs;
    ImageTab* m_image;
};
