// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/image_shape.h"
#include "session/image_predictor.h"
#include "views/image_grid.h"
#include "widgets/chart_palette.h"

#include <QAbstractListModel>
#include <QImage>
#include <QListView>
#include <QStyledItemDelegate>

#include <utility>
#include <vector>

/// The images in the grid, in its order, with their predictions. Pixmaps are created when painted
/// and not stored.
class ImageListModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// Sets other data or another part; clears the predictions.
    /// @param ood  the images of part `ood`
    void setImages(std::shared_ptr<const credence::Experiment> experiment, credence::ImagePart part,
                   std::shared_ptr<const credence::OodImages> ood = {});
    /// The same data with other settings: predictions stay until new ones arrive.
    void setExperiment(std::shared_ptr<const credence::Experiment> experiment) { m_experiment = std::move(experiment); }
    void setPredictions(std::shared_ptr<const PredictedImages> images) { m_predicted = std::move(images); }
    /// Updates filter and order. @return whether the displayed images or their order have changed,
    /// which resets the model
    bool refresh(const credence::ImageGridChoice& choice);

    bool empty() const { return !m_experiment; }
    const credence::Experiment& experiment() const { return *m_experiment; }
    const std::shared_ptr<const credence::Experiment>& sharedExperiment() const { return m_experiment; }
    credence::ImagePart part() const { return m_part; }
    const credence::ImageGridRows& rows() const { return m_rows; }
    const PredictedImages* predicted() const { return m_predicted.get(); }
    std::span<const credence::RowPrediction> predictions() const;
    const std::vector<std::string>& classNames() const { return m_experiment->data->training.class_names; }
    QString className(int k) const;
    /// Class names of the images: OOD images have their own classes, unknown to the network. Empty:
    /// the network's.
    std::span<const std::string> ownClassNames() const;
    /// Can a prediction be right or wrong here?
    bool hasTruth() const { return m_part != credence::ImagePart::ood; }
    bool wrong(std::uint32_t image) const;   ///< predicted class differs from the true one, if both are known
    QString trueClassName(std::uint32_t image) const;

    std::uint32_t imageAt(int row) const { return m_rows.rows[static_cast<std::size_t>(row)]; }
    int placeOf(std::uint32_t image) const;   ///< -1: not displayed
    /// Classes of all images of the part, for OOD images their own; -1 if unknown.
    std::span<const int> labels() const;
    int labelOf(std::uint32_t image) const { return labels()[image]; }
    credence::LabelledImages images() const { return credence::images_of(*m_experiment, m_part, m_ood.get()); }
    const credence::RowPrediction* predictionOf(std::uint32_t image) const;   ///< null: none yet
    bool certain(const credence::RowPrediction& row) const { return is_certain(row, m_choice.criterion); }
    QImage picture(std::uint32_t image) const;
    QString nameOf(std::uint32_t image) const;       ///< "test image 17"
    QString sentenceOf(std::uint32_t image) const;   ///< for screen readers
    QString tipOf(std::uint32_t image) const;        ///< all numbers

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.rows.size());
    }
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::shared_ptr<const credence::Experiment> m_experiment;
    credence::ImagePart m_part = credence::ImagePart::test;
    std::shared_ptr<const credence::OodImages> m_ood;
    std::shared_ptr<const PredictedImages> m_predicted;
    credence::ImageGridChoice m_choice;
    credence::ImageGridRows m_rows;
    std::vector<int> m_unknown;   // used where labels are unknown
};

/// Grey or colour image for display. @param bytes  [channels × height × width], 1 or 3 channels
QImage pictureOf(std::span<const std::uint8_t> bytes, credence::ImageShape shape);
QImage pictureOf(const credence::ImageSet& set, std::size_t image);

/// One cell of the image grid: image, true → predicted class, confidence, and a bar of the
/// predictive entropy.
///
/// Colour is never the only cue: wrong is a cross and a thick frame, uncertain a question mark and
/// a dashed frame, certain but wrong an exclamation mark next to the cross.
class ImageDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ImageDelegate(const ImageListModel& model, QObject* parent = nullptr)
        : QStyledItemDelegate(parent), m_model(model)
    {}

    void setSide(int side) { m_side = side; }   ///< longer edge of an image, logical pixels
    int side() const { return m_side; }
    QSize cellSize(const QFont& font) const;   ///< minimum size of a cell

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return cellSize(option.font);
    }

private:
    struct Cell;
    static void paintFrame(const Cell& cell);
    void paintClasses(const Cell& cell) const;
    void paintConfidence(const Cell& cell) const;
    void paintEntropy(const Cell& cell) const;
    bool small() const;   ///< no space for a second line of text
    const credence::ChartPalette& colours(const QPalette& palette) const;

    const ImageListModel& m_model;
    int m_side                  = 56;
    mutable qint64 m_paletteKey = 0;
    mutable credence::ChartPalette m_colours;
    mutable QColor m_wrong, m_wrongOnChosen;   // text colours on the background of the list and of the selected image
};

/// Draws the image in a square of `room`: with an integer scale if it fits, smoothed if it must
/// shrink.
void drawCrisp(QPainter& painter, const QImage& image, const QRectF& room, QRectF* drawn = nullptr);

/// Any number of images in rows: only visible ones are painted, and cells share the width evenly.
class ImageList : public QListView {
    Q_OBJECT
public:
    ImageList(ImageListModel& model, QWidget* parent);

    int side() const;              ///< longer edge of an image, pixels
    void setSide(int side);        ///< Keeps the selected image, or else the first visible one, in view.
    void setFirstSide(int side);   ///< for other images
    /// First visible row of the model, and the one after the last.
    std::pair<int, int> inSight() const;
    /// Suitable sizes for images of this size: integer multiples of small ones.
    static std::vector<int> sidesFor(credence::ImageShape shape);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;   ///< Selects nothing by itself.

private:
    void fit();

    ImageDelegate* m_delegate;
};
