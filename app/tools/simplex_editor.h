// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/simplex_controls.h"
#include "views/logit_handles.h"
#include "widgets/spoken_items.h"

#include <QObject>
#include <QPointF>
#include <QPointer>
#include <QRect>
#include <QTimer>

#include <optional>

class QUndoStack;

/// The Gaussian over three logits of the tab *Simplex*, its source and bridge: the state that
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

namespace credence {
class ChartView;
}

/// Handles on the first panel of a simplex chart: move a Gaussian over three logits with mouse and
/// keys.
class SimplexHandles : public QObject, public credence::SpokenItems {
    Q_OBJECT
public:
    enum class Handle { mean, first_axis, second_axis };

    SimplexHandles(credence::ChartView& view, QObject* parent);
    ~SimplexHandles() override;

    void setLogits(const std::optional<credence::LogitHandles>& logits) { m_logits = logits; }
    void setOnShow(bool currentRun) { m_currentRun = currentRun; }   ///< is there a triangle to place them on?
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
    bool movable() const { return m_currentRun && m_logits; }

    void emitSelected() const;

    credence::ChartView& m_view;
    QPointer<credence::ChartView> m_spokenBy;   ///< null: the view no longer exists
    std::optional<credence::LogitHandles> m_logits;
    bool m_currentRun = false;
    Handle m_selected = Handle::mean;
    std::optional<Handle> m_grabbed;
    double m_grabScale = 1;   ///< length of an axis divided by the distance at which it was grabbed
    int m_stroke       = 0;
    QTimer m_replace;   ///< after a change of the chart's size
    QRect m_placedFor;
};
