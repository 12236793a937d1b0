// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/run_summary.h"

#include <QFrame>

#include <memory>
#include <optional>
#include <vector>

class FindingsPanel;
class PredictionArea;
class QLabel;
class QToolButton;
class SavedRunEntry;
class SummaryItem;
class ViewNavigator;
struct AppContext;

/// The summary of the displayed run: its scores and chain diagnostics, each with the linter's sign,
/// and the number of findings. Below compared runs it names its run. It appears when a run has
/// finished; after it was closed, it appears again with the next run. A click on a number opens its
/// finding, or the view that shows it.
class SummaryCard : public QFrame {
    Q_OBJECT
public:
    /// @param area  places the card
    SummaryCard(AppContext& context, FindingsPanel& findings, ViewNavigator& navigator, PredictionArea& area);

    QSize sizeHint() const override;   ///< all in one line

private:
    void paintEvent(QPaintEvent* event) override;
    void refresh();
    bool describesDisplayedStep() const;
    const std::vector<credence::SummaryNumber>* numbers();
    void showNumber(SummaryItem& item, const credence::SummaryNumber& number) const;
    void showChecks();
    void showName();
    void open(const SummaryItem& item);

    AppContext& m_context;
    FindingsPanel& m_findings;
    ViewNavigator& m_navigator;
    PredictionArea& m_area;
    QLabel* m_name;
    std::vector<SummaryItem*> m_items;   ///< numbers, and the linter's result last
    QToolButton* m_close;
    std::weak_ptr<SavedRunEntry> m_entry;                          ///< the displayed run in the list
    std::weak_ptr<SavedRunEntry> m_requestedFor;                   ///< the last changed summary
    std::optional<credence::PredictionSpec> m_requestedSettings;   ///< likewise
    long m_closed = -1;                                            ///< number of the run whose card was closed
};
