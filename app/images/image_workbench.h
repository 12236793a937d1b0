// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/image_transforms.h"
#include "runs/experiment.h"
#include "views/views.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// An image with its name. Values 0 to 255 [channels × height × width].
struct NamedImage {
    std::vector<float> pixels;
    std::string name;           ///< "test image 3", "drawn image"
    std::optional<int> label;   ///< the class, if known
    std::optional<int> row;     ///< row among the scored images, if any
};

/// The image being edited: its origin and its modifications.
struct EditedImage {
    credence::ImageShape shape;
    NamedImage base;
    credence::Disturbance disturbance;
    NamedImage target;                                   ///< of the morph
    std::shared_ptr<const credence::ImageMorph> morph;   ///< from base to target; null: not computed yet

    /// Morphing takes effect once its path is known.
    credence::Disturbance effective() const
    {
        auto out = disturbance;
        if (!morph)
            out.morph = 0;
        return out;
    }
    bool untouched() const { return effective().none(); }
    std::vector<float> pixels() const { return credence::disturbed(base.pixels, shape, effective(), morph.get()); }
    std::string name() const { return base.name + credence::description_of(effective(), target.name); }
    /// A perturbed image keeps its class; a morphed one has the class of the nearer end.
    std::optional<int> label() const { return effective().morph > 0.5 ? target.label : base.label; }
};

class DisturbPanel;
class DrawPanel;
class ImageCanvas;
class ImageVerdict;
class NearestImages;
class QBoxLayout;
class QLabel;
class QStackedWidget;
class QToolButton;
class ThumbnailStrip;
namespace credence {
class ChartView;
}

/// The edited image for the views: `input` is empty for an unmodified row of the data.
struct ImageRequest {
    std::vector<double> input;
    std::string name;
    std::optional<int> label;
    std::optional<int> row;        ///< an unmodified row of the data
    std::optional<int> base_row;   ///< the row it was made from
    bool own   = false;            ///< drawn, not an image of the data
    bool draft = false;            ///< still changing, so quick charts suffice
    bool isOf(const credence::ViewOptions& options) const
    {
        return input == options.input.values
               && (row ? input.empty() && static_cast<std::size_t>(*row) == options.input.row
                       : name == options.input.name);
    }
};

/// The page *Image*: the selected image enlarged with its boxplots, the verdict in words and the
/// nearest training images. *Draw* creates an image with mouse, pen or keys, *Perturb* modifies the
/// selected one; the result becomes the selected input. Computes no prediction.
class ImageWorkbench : public QWidget {
    Q_OBJECT
public:
    enum class Mode { look, draw, disturb };

    explicit ImageWorkbench(QWidget* parent = nullptr);

    /// The window's selected input, wherever it was selected. Other data reset the tab.
    void setChosen(const std::shared_ptr<const credence::Experiment>& experiment, const credence::ViewOptions& options);
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    const EditedImage& image() const { return m_image; }
    ImageCanvas* canvas() const { return m_canvas; }
    credence::ChartView* chart() const { return m_chart; }
    ThumbnailStrip* nearest() const;

    /// Adds the perturbation, for views that show a range around it.
    void addTo(credence::ViewOptions& options) const;
    /// The charts of this tab, by view id.
    std::vector<std::string> wantedViews() const;
    void setPicture(const std::string& view, const credence::Chart& chart);
    bool settling() const { return m_rest.isActive() || m_morphing; }   ///< Is editing or morphing in progress?

signals:
    void requested(const ImageRequest& request);
    void viewsChanged();   ///< other charts are needed
    void exportRequested(const QString& view);
    void becameVisible();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildModes();
    void buildTools();
    QWidget* buildBelow();
    void fitModes();   ///< Own images have no prediction without a network.
    void drawn();      ///< The strokes have changed.
    void disturbedBy(const credence::Disturbance& disturbance);
    void wantTarget(int targetClass, bool another);
    void morphInto(const NamedImage& target);
    void takeBack();
    void startAfresh(const std::shared_ptr<const credence::Experiment>& experiment);   ///< For data of another kind.
    void leave();                                                                      ///< For data without images.
    void releaseImage();
    void setBase(NamedImage base);
    void showImage();
    void announce(bool draft);
    void announceMoving();

    std::shared_ptr<const credence::Experiment> m_experiment;   // null: no images
    EditedImage m_image;     // has the size of the data's images whenever there is an experiment
    NamedImage m_original;   ///< last selected image of the data, restored by *Back*
    Mode m_mode = Mode::look;
    ImageRequest m_request;           ///< the last request, so that its echo is ignored
    bool m_nearestDue       = true;   ///< the nearest images were found for another image
    bool m_takeNextAsTarget = false;
    int m_targetTurn        = 0;   ///< which image of its class is the target
    int m_morphRequest      = 0;
    bool m_morphing         = false;
    QTimer m_rest;   ///< delays full charts until editing pauses

    ImageCanvas* m_canvas;
    credence::ChartView* m_chart;
    QToolButton* m_modes[3];
    QToolButton* m_back;
    QToolButton* m_chartKind;
    QLabel* m_pixel;
    ImageVerdict* m_verdict;
    NearestImages* m_nearest;
    QStackedWidget* m_tools;
    DrawPanel* m_draw;
    DisturbPanel* m_disturb;
    QBoxLayout* m_top = nullptr;
};
