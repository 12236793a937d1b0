// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "figures/logit_handles.h"
#include "views/views.h"

#include <QTimer>
#include <QWidget>

class BetaPanel;
class LawBoxes;
class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QScrollArea;
class QBoxLayout;
class QStackedWidget;
class QToolButton;
class QUndoStack;
class ViewPanel;
namespace credence {
class TableView;
}

/// The tab *Simplex*: the exact law of the class probabilities beside the Dirichlet of its Laplace Bridge, with the numbers that compare them. The Gaussian
/// over the logits is moved by hand, with handles on the triangle or in number boxes, or it is that of the chosen input. Second page: the Beta view.
class SimplexWorkbench : public QWidget {
    Q_OBJECT
public:
    enum class Source { by_hand, chosen_input };
    enum class Handle { mean, first_axis, second_axis };

    explicit SimplexWorkbench(QUndoStack& undo, QWidget* parent = nullptr);

    /// The moment and the chosen input of the window: shown where the source is the chosen input.
    void follow(const credence::RunMoment& moment, const credence::ViewOptions& options);
    Source source() const { return m_state.source; }
    void setSource(Source source);
    void choosePreset(int index);
    void setVariant(credence::BridgeVariant variant);
    credence::BridgeVariant variant() const { return m_state.variant; }   ///< also of the views of a run
    /// How the dock, the command *Export* and this tab draw the law.
    credence::SimplexChoice choice() const;

    const std::optional<credence::LogitHandles>& hand() const { return m_state.hand; }
    const credence::Chart& fullChart() const { return m_full; }   ///< without handles, with the table: what is exported
    ViewPanel* picture() const { return m_picture; }
    BetaPanel* beta() const { return m_beta; }
    credence::TableView* numbers() const { return m_numbers; }   ///< of each class
    QString summary() const;                       ///< KL, total variation, Hellinger's distance, in words
    QPointF handlePosition(Handle handle) const;   ///< within the picture's chart view
    void showPage(int page);                       ///< 0 triangle, 1 Beta
    QString figureInFront() const;                 ///< for the dialog of exports
    void copyFigure();
    bool busy() const;

signals:
    void choiceChanged();   ///< of how a law is drawn
    void variantChanged();
    void exportRequested(const QString& view);
    void becameVisible();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    friend class LawCommand;
    /// What *Undo* brings back.
    struct State {
        Source source = Source::by_hand;
        std::optional<credence::LogitHandles>
            hand;   ///< the law moved by hand; also what is shown of a chosen input with three classes
        credence::BridgeVariant variant = credence::BridgeVariant::projected;
        QStringList names{};   ///< of the three classes; empty: they have none
    };
    struct Made;   ///< what a job brings back

    // simplex_workbench_layout.cpp
    QWidget* buildControls();
    QWidget* buildBelow();
    void arrange();

    void edit(State after, const QString& text, const QString& mergeKey = {});
    void apply(const State& state);
    void request();
    void show(const std::shared_ptr<const Made>& made);
    void showNumbers(const std::shared_ptr<const Made>& made, std::optional<credence::BridgeNumbers> numbers,
                     const credence::Chart& full);
    void showMistake(const QString& sentence);
    void showTable();
    void drawPicture();
    void setNote(const QString& words);
    void fitClasses();
    void press(QPointF at);
    void drag(double first, double second);
    bool nudge(int key, Qt::KeyboardModifiers modifiers);
    std::optional<Handle> handleAt(QPointF position) const;
    credence::TrianglePlace shownEnd(int axis) const;

    QUndoStack& m_undo;
    State m_state;
    std::optional<credence::RunMoment> m_moment;
    credence::ViewOptions m_options;                  ///< with the moment: which input
    std::shared_ptr<const Made> m_made;               ///< on show
    std::optional<credence::BridgeNumbers> m_known;   ///< of what is on show, or of a moment ago
    credence::Chart m_full;
    QStringList m_classNames;   ///< of the chosen input's classes
    bool m_stale      = true;   ///< not drawn since it changed
    Handle m_selected = Handle::mean;
    std::optional<Handle> m_grabbed;
    double m_grabScale = 1;   ///< length of an axis over the way to where it was grabbed
    int m_stroke       = 0;

    QStackedWidget* m_pages;
    BetaPanel* m_beta;
    ViewPanel* m_picture;
    QButtonGroup* m_pageButtons = nullptr;
    QComboBox *m_source = nullptr, *m_variant = nullptr, *m_layoutChoice = nullptr, *m_scaling = nullptr,
              *m_others    = nullptr;
    QToolButton* m_presets = nullptr;
    QCheckBox *m_lines = nullptr, *m_draws = nullptr, *m_mostProbable = nullptr;
    QComboBox* m_corners[3]        = {};
    QWidget* m_classRow            = nullptr;
    QWidget* m_controls            = nullptr;   ///< above the pages
    QLabel* m_note                 = nullptr;
    QLabel* m_summary              = nullptr;   ///< the numbers of both laws as a whole
    LawBoxes* m_boxes              = nullptr;
    credence::TableView* m_numbers = nullptr;
    QBoxLayout* m_below            = nullptr;
    QTimer m_waitForNumbers;   ///< numbers that take longer are shown as missing
    QTimer m_replace;          ///< handles, when the picture has another size
    QRect m_placedFor;
    Worker m_numberJob{{.newer = Worker::Newer::waits_for_old}};
    Worker m_densityJob{
        {.niceness = 0, .newer = Worker::Newer::waits_for_old}};   // last: both end before what they look at
};
