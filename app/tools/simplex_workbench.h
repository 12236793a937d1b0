// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/beta.h"
#include "tools/simplex_editor.h"
#include "tools/simplex_picture.h"
#include "work/worker.h"

#include <QWidget>

class NumberSlider;
class QGridLayout;
class ViewPanel;

/// A Beta distribution and its Laplace approximation in both bases (Hobbhahn 2020, Fig. 2.1),
/// controlled by two sliders.
class BetaPanel : public QWidget {
    Q_OBJECT
public:
    explicit BetaPanel(QWidget* parent = nullptr);

    credence::Beta distribution() const { return m_distribution; }
    void setDistribution(const credence::Beta& beta);
    const credence::Chart& chart() const;
    ViewPanel* picture() const { return m_picture; }
    bool busy() const { return m_job.busy(); }

signals:
    void exportRequested(const QString& view);

private:
    NumberSlider* addRow(QGridLayout* grid, const QString& name, const QString& help);
    void use(const credence::Beta& beta);
    void showEvent(QShowEvent* event) override;
    void request();

    credence::Beta m_distribution{4, 2};
    bool m_stale = true;   ///< changed since last drawn
    ViewPanel* m_picture;
    NumberSlider *m_a, *m_b;
    Worker m_job{{.niceness = 0, .newer = Worker::Newer::waits_for_old}};
};

class LogitBoxes;
class QBoxLayout;
class QLabel;
class QStackedWidget;

/// The tab *Simplex*: the exact distribution of the class probabilities, the Dirichlet of its
/// Laplace Bridge, and the numbers that compare them. The Gaussian over the logits is set by hand,
/// with handles or number boxes, or is that of the selected input. Second page: the Beta view.
class SimplexWorkbench : public QWidget {
    Q_OBJECT
public:
    using Handle = SimplexHandles::Handle;

    explicit SimplexWorkbench(QUndoStack& undo, QWidget* parent = nullptr);

    /// The snapshot and the selected input of the window, shown if the source is the selected
    /// input.
    void follow(const credence::RunSnapshot& run, const credence::ViewOptions& options);
    SimplexEditor& editor() const { return *m_editor; }
    /// The drawing options shared by the dock, *Export* and this tab.
    credence::SimplexChoice choice() const { return m_controls->choice(); }

    const credence::Chart& fullChart() const { return m_full; }   ///< without handles but with the table, for export
    ViewPanel* picture() const { return m_picture; }
    BetaPanel* beta() const { return m_beta; }
    const SimplexNumbers& numbers() const { return *m_numbers; }
    QPointF handlePosition(Handle handle) const { return m_handles->position(handle); }
    void showPage(int page);         ///< 0 triangle, 1 Beta
    QString figureInFront() const;   ///< for the export dialog
    void copyFigure();
    bool busy() const;

signals:
    void choiceChanged();   ///< of the drawing options
    void variantChanged();
    void exportRequested(const QString& view);
    void becameVisible();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildBelow();
    void connectParts();
    void showState(const SimplexEditor::State& before);
    void redraw();   ///< Recomputes the chart, unless the tab is hidden.
    void request();
    void show(const std::shared_ptr<const SimplexPicture>& made);
    void followInput(const SimplexPicture& made);   ///< of the selected input, from which a drag continues
    void showMistake(const QString& sentence);
    void drawPicture();
    void setNote(const QString& words);

    SimplexEditor* m_editor;
    std::optional<credence::RunSnapshot> m_snapshot;
    credence::ViewOptions m_options;                ///< with the snapshot; selects the input
    std::shared_ptr<const SimplexPicture> m_made;   ///< displayed chart
    credence::Chart m_full;
    QStringList m_classNames;   ///< classes of the selected input
    bool m_stale = true;        ///< changed since last drawn

    QStackedWidget* m_pages;
    BetaPanel* m_beta;
    ViewPanel* m_picture;
    SimplexControls* m_controls;
    SimplexHandles* m_handles;
    LogitBoxes* m_boxes       = nullptr;
    SimplexNumbers* m_numbers = nullptr;
    QLabel* m_note            = nullptr;
    QBoxLayout* m_below       = nullptr;
    // last: its thread ends before what it reads
    Worker m_job{{.niceness = 0, .newer = Worker::Newer::waits_for_old}};
};
