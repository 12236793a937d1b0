// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>

namespace credence {
struct Experiment;
}
class ImageTab;
class ImageWorkbench;
class Laws;
class ViewBinder;
class QLabel;
class QSpinBox;
class QToolButton;
class ViewTabs;
struct AppContext;

/// The selected input: its description, its row, and the views of a single input.
class InputDock : public QWidget {
    Q_OBJECT
public:
    InputDock(AppContext& context, ViewBinder& binder, Laws& laws, QWidget* parent);
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
