// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/active_learning.h"
#include "parts/tool_page.h"

#include <QTabBar>

#include <array>
#include <memory>

namespace credence {
class ChartView;
}
class QComboBox;
class QSpinBox;
class QTabWidget;
class SettingLine;
struct AppContext;

/// Switches between the pages of the workspace Decide; each page has one, with its own tab in front.
class DecideTabs : public QTabBar {
    Q_OBJECT
public:
    enum Page { bandit, active_learning };
    DecideTabs(Page own, QWidget* parent);

signals:
    void chosen(int page);   ///< the other one

protected:
    void wheelEvent(QWheelEvent* event) override;   ///< leaves no page
};

/// Active learning with the Study of the window: the curves of all acquisition functions, and the
/// queries of one of them on the map and as a table.
class ActiveLearningPage : public ToolPage {
    Q_OBJECT
public:
    ActiveLearningPage(AppContext& context, QWidget* parent);

    /// The displayed result, perhaps unfinished. Null: nothing has been trained yet.
    const std::shared_ptr<const credence::LabellingResult>& result() const { return m_result; }

private:
    Worker::Work work() override;
    void showMistake(const QString& field, const QString& sentence) override;
    QWidget* buildSettings();
    QWidget* buildQueries();
    void describe();
    void showWaiting(bool busy);
    void showResult(std::shared_ptr<const credence::LabellingResult> result);
    void listFunctions();
    void followRounds();
    void showQueries();

    AppContext& m_context;
    std::array<SettingLine*, 3> m_lines{};   ///< labels, Study, repetitions
    QSpinBox *m_start, *m_perRound, *m_rounds, *m_repetitions, *m_steps, *m_samples, *m_pool, *m_round;
    QComboBox* m_function;
    QWidget* m_choice = nullptr;   ///< function and round
    QTabWidget* m_tabs;
    credence::ChartView *m_curves, *m_map, *m_rows;
    std::shared_ptr<const credence::LabellingResult> m_result;
    bool m_follows = true;   ///< the newest round is displayed, until another one is selected
};
