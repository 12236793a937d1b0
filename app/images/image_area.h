// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/image_predictor.h"

#include <QLayout>
#include <QWidget>

class ImageGrid;
class ViewPanel;

/// The grid of images, and the confusion matrix of the grid's images, which is shown elsewhere and
/// whose cells filter the grid.
class ImageArea : public QWidget {
    Q_OBJECT
public:
    explicit ImageArea(QWidget* parent = nullptr);

    /// Sets the snapshot of a run; without images nothing is predicted.
    /// @param prune  weights removed before predicting
    void setSnapshot(const credence::RunSnapshot& run, bool live, const credence::PruneRule& prune = {});
    void setReading(const QString& sentence);   ///< Other data are being read; empty: no longer.
    ImageGrid* grid() const { return m_grid; }
    ViewPanel* confusion() const { return m_confusion; }
    bool busy() const { return m_predictor.busy() || m_readingOod; }
    void addBelow(QWidget* strip) { layout()->addWidget(strip); }   ///< below the grid

    /// A click on a cell of a confusion matrix shows its images in the grid.
    void showCell(double predicted, double truth);

signals:
    void imageChosen(credence::ImagePart part, int image);
    void gridWanted();                                  ///< in front
    void confusionMade(const credence::Chart& chart);   ///< of the images shown in the grid
    void predictionFailed(const QString& sentence);
    void filesDropped(const QStringList& files);   ///< image files or a folder

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void receive(const std::shared_ptr<const PredictedImages>& images);
    void drawConfusion();
    void predict();
    void readOod();
    void followOod();

    ImageGrid* m_grid;
    ViewPanel* m_confusion;
    credence::RunSnapshot m_snapshot;
    bool m_live = false;
    credence::PruneRule m_prune;
    std::shared_ptr<const PredictedImages> m_newest;
    std::pair<std::shared_ptr<const credence::SplitData>, std::string> m_oodOf;   ///< data and name of the OOD set
    int m_oodRequest  = 0;
    bool m_readingOod = false;
    ImagePredictor m_predictor;   // last: its thread ends first
};
