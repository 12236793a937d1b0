// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <QWidget>

#include <optional>
#include <vector>

class ThumbnailStrip;

/// The training images nearest to an image, with classes and distances.
class NearestImages : public QWidget {
    Q_OBJECT
public:
    explicit NearestImages(QWidget* parent);

    /// @param found  result of the view of that name
    /// @param label  class of the image; empty: it has none
    /// @return false: of other data; nothing was shown
    bool setNearest(const credence::Chart& found, const credence::Experiment& experiment, std::optional<int> label);
    void clear();
    ThumbnailStrip* strip() const { return m_strip; }

signals:
    void chosen(int row);   ///< row of the training images

private:
    ThumbnailStrip* m_strip;
    std::vector<int> m_rows;
};
