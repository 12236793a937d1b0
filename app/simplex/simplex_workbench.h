// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/beta.h"
#include "simplex/simplex_controls.h"
#include "simplex/simplex_picture.h"
#include "views/simplex.h"
#include "widgets/accessibility.h"
#include "work/worker.h"

#include <QObject>
#include <QPointF>
#include <QPointer>
#include <QRect>
#include <QTimer>
#include <QWidget>

#include <optional>

namespace credence {
class ChartView;
}
class LogitBoxes;
class NumberSlider;
class QBoxLayout;
class QGridLayout;
class QLabel;
class QStackedWidget;
class QUndoStack;
class ViewPanel;

/// The Gaussian over three logits of the page *Simplex*, its source and bridge: the state that
/// *Undo* restores.
class SimplexEditor : public QObject {
    Q_OBJECT
public:
    struct State {
        SimplexSource source = SimplexSource::by_hand;
        std::optional<credence::LogitHandles>
            hand;   ///< the distribution set by hand; also that of a selected input with three classes
        credence::BridgeVariant variant = credence::BridgeVariant::projected;
        QStringList names{};   ///< of the three classes; empty: unnamed
    };

    SimplexEditor(QUndoStack& undo, QObject* parent);

    const State& state() const { return m_state; }
    const credence::LogitHandles& hand() const { return *m_state.hand; }   ///< @pre there is one
    void setSource(SimplexSource source);
    void choosePreset(int index);
    void setVariant(credence::BridgeVariant variant);
    /// @param mergeKey  equal for changes merged into one undo step
    void moveByHand(const credence::LogitHandles& hand, const QString& text, const QString& mergeKey);
    /// The distribution of the selected input, from which a drag continues. No undo step and no
    /// signal.
    void follow(const std::optional<credence::LogitHandles>& hand, const QStringList& names);

signals:
    void changed(const SimplexEditor::State& before);
    void noted(const QString& note);   ///< note on the distribution; empty: none

private:
    friend class SimplexCommand;
    void edit(State after, const QString& text, const QString& mergeKey = {});
    void apply(const State& state);

    QUndoStack& m_undo;
    State m_state;
};

/// Handles on the first panel of a simplex chart: move a Gaussian over three logits with mouse and
/// keys.
class SimplexHandles : public QObject, public credence::SpokenItems {
    Q_OBJECT
public:
    enum class Handle { mean, first_axis, second_axis };

    SimplexHandles(credence::ChartView& view, QObject* parent);
    ~SimplexHandles() override;

    void setLogits(const std::optional<credence::LogitHandles>& logits) { m_logits = logits; }
    void setAvailable(bool available) { m_available = available; }   ///< is there a triangle to place them on?
    QPointF position(Handle handle) const;                           ///< in the chart view
    void addTo(credence::Chart& chart) const;
    void pictureDrawn();
    std::vector<credence::SpokenItem> spokenItems() const override;   ///< none while they cannot be moved
    void pressItem(int index) override;                               ///< keys then move it

signals:
    /// @param mergeKey  equal for changes merged into one undo step
    void moved(const credence::LogitHandles& logits, const QString& text, const QString& mergeKey);
    void redrawWanted();   ///< one was selected, or the size of the chart has changed

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    credence::TrianglePlace shownEnd(int axis) const;
    std::optional<Handle> handleAt(QPointF position) const;
    void press(QPointF at);
    void drag(credence::TrianglePlace to);
    bool nudge(int key, Qt::KeyboardModifiers modifiers);
    bool nudgePlace(int key, double step);
    double wayOfAxis(int axis) const;
    bool movable() const { return m_available && m_logits; }

    void emitSelected() const;

    credence::ChartView& m_view;
    QPointer<credence::ChartView> m_spokenBy;   ///< null: the view no longer exists
    std::optional<credence::LogitHandles> m_logits;
    bool m_available  = false;
    Handle m_selected = Handle::mean;
    std::optional<Handle> m_grabbed;
    double m_grabScale = 1;   ///< length of an axis divided by the distance at which it was grabbed
    int m_stroke       = 0;
    QTimer m_replace;   ///< after a change of the chart's size
    QRect m_placedFor;
};

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

/// The page *Simplex*: the exact distribution of the class probabilities, the Dirichlet of its
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
    /// The drawing options shared by the inspector, *Export* and this tab.
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
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void arrange();
    QWidget* buildBelow();
    void connectParts();
    void showState(const SimplexEditor::State& before);
    void redraw();   ///< Recomputes the chart, unless the page is hidden.
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
