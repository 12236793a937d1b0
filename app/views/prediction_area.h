// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "views/views.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class Curtain;
class ImageArea;
class QAction;
class QActionGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QuietParts;
class RowsPanel;
class ViewPanel;

/// The central area: decision map, regression band, slice of a table, image grid, or scores if there is
/// none of these; tools that select an input or draw points; and the comparison of saved runs.
class PredictionArea : public QWidget {
    Q_OBJECT
public:
    explicit PredictionArea(QWidget* parent = nullptr);

    ViewPanel* picture() const { return m_picture; }
    ViewPanel* comparison() const { return m_comparison; }
    ImageArea* images() const { return m_images; }
    RowsPanel* rows() const { return m_rows; }   ///< below slices and scores, where no picture shows all inputs
    bool showsRows() const;                      ///< is this such a place?
    bool revealRows();   ///< also where they leave half of the room for the picture; false: there is even less
    bool showsImages() const { return m_ofImages; }
    bool comparing() const;
    void setComparing(bool on);
    /// @param why  the compared runs cannot be ranked by their distance from the displayed run; empty: they can
    void setWhyNotRanked(const QString& why);
    /// Controls and tools of what is shown, for the header of the area around it.
    QWidget* headControls() const { return m_headControls; }
    QWidget* headTools() const { return m_headTools; }

    /// Shows a card, while it is visible, in a corner of a map inside its axes, or below other pictures.
    void addCard(QWidget* card);

    /// Adapts view, quantities and tools to the data.
    void setExperiment(const credence::Experiment& experiment);
    credence::MapQuantity quantity() const;
    int mapClass() const;
    void setQuantity(credence::MapQuantity quantity, int mapClass);
    void restoreQuantity();   ///< the one that the user chose last; of a Study without it, as soon as it is offered

    enum class Tool { choose, draw, move, erase };
    Tool tool() const { return m_tool; }
    int drawClass() const { return m_drawClass; }
    /// Fixed axes while pen or eraser is active; empty: axes chosen by the data.
    const std::optional<std::pair<credence::Range, credence::Range>>& region() const { return m_region; }

signals:
    void optionsChanged();
    void comparisonClosed();
    void rankingRequested();   ///< of the compared runs, by their distance from the displayed reference
    void comparisonBegan();
    void comparingChanged();
    void inputChosen(const std::vector<double>& input);
    void pointDrawn(double x, double y, int label, int stroke);
    void pointsErased(double x, double y, double radiusX, double radiusY, int stroke);
    void pointGrabbed(double x, double y, double radiusX, double radiusY);
    void pointMoved(double x, double y, int stroke);
    void strokeEnded();
    void clearRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void shareRoom();
    void placeCard();
    QRect cornerForCard() const;
    void buildQuantities();
    void offerSetSize(bool offered);
    void buildComparison();
    void showCurtain();
    void buildHead();
    void followPage();
    void connectHand();
    void rebuildTools(int classes, bool regression, bool plane);
    void setTool(Tool tool, int drawClass = 0);
    void holdAxes(bool hold);
    void releasePen();
    void press(double x, double y);
    void drag(double x, double y);

    QComboBox* m_quantity;
    QLabel* m_classLabel;
    QSpinBox* m_class;
    QWidget* m_quantities;   ///< these three
    ViewPanel* m_picture;
    ViewPanel* m_comparison;
    Curtain* m_curtain;             ///< overlays two compared maps
    QToolButton* m_curtainButton;   ///< checked: if it can
    QToolButton* m_rankButton;
    ImageArea* m_images;
    RowsPanel* m_rows;
    QSplitter* m_front;   ///< picture and rows
    QStackedWidget* m_stack;
    QWidget *m_headControls, *m_headTools;
    std::vector<std::pair<QWidget*, QWidget*>> m_headParts;   ///< each with the page that it belongs to
    QWidget* m_card = nullptr;                                ///< null: none was added
    QTimer m_placing;                                         ///< the chart is laid out after it has its size
    QWidget* m_tools;
    QHBoxLayout* m_toolRow;
    QuietParts* m_quiet;   ///< tools that are used less
    Tool m_tool       = Tool::choose;
    int m_drawClass   = 0;
    int m_stroke      = 0;
    int m_classes     = -1;
    bool m_regression = false, m_plane = false, m_ofImages = false, m_slice = false, m_hasRows = false;
    bool m_rowsRequested = false;
    bool m_restores      = false;   ///< the quantity of the last start, unless something asks for another one
    bool m_carries       = false;   ///< the hand that moves points has one
    bool m_pressed       = false;   ///< by the mouse, not by the keyboard's cross
    double m_lastX = 0, m_lastY = 0;
    double m_spanX = 1, m_spanY = 1;   ///< of the axes, for distances on screen
    std::optional<std::pair<credence::Range, credence::Range>> m_region;
    credence::DataSpec m_data;   ///< that the picture shows
};

class QLabel;
class QSlider;
namespace credence {
class ChartView;
}

/// Two overlaid maps with the same axes: the first to the left of a handle, the second to its right. The handle
/// follows the mouse and the arrow keys; a double click centres it.
class Curtain : public QWidget {
    Q_OBJECT
public:
    explicit Curtain(QWidget* parent);

    /// Why a chart cannot be shown by a curtain; empty: it can.
    static QString whyNot(const credence::Chart& chart);
    void setChart(const credence::Chart& chart);   ///< for which whyNot is empty
    double share() const;                          ///< of the width of the axes to the left of the handle

signals:
    void pointClicked(double x, double y);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    std::array<credence::ChartView*, 2> m_maps;   ///< the second covers the first
    std::array<QLabel*, 2> m_labels;
    std::array<QString, 2> m_names;
    QSlider* m_handle;
    QTimer m_placing;   ///< charts are laid out after they have their size
};
