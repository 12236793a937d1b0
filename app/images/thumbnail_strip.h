// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"
#include "widgets/accessibility.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

/// Thumbnails in a row, as many as fit, each with two lines of text: images similar to the selected
/// one. A click, or arrows and Enter, activates one.
class ThumbnailStrip : public QWidget, public credence::SpokenItems {
    Q_OBJECT
public:
    struct Thumbnail {
        QImage picture;
        QString first, second;   ///< text below it
        QString tip;
        bool stands_out = false;   ///< has another class than expected
        bool chosen     = false;   ///< the current one
    };
    explicit ThumbnailStrip(QWidget* parent = nullptr);

    void setThumbnails(std::vector<Thumbnail> thumbnails);
    int count() const { return static_cast<int>(m_thumbnails.size()); }
    const Thumbnail& at(int index) const { return m_thumbnails[static_cast<std::size_t>(index)]; }
    int wholeWidth() const { return count() * columnWidth(); }   ///< width for all thumbnails
    std::vector<credence::SpokenItem> spokenItems() const override;
    void pressItem(int index) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int columnWidth() const;
    int shown() const;
    QRect place(int index) const;
    int indexAt(QPoint position) const;

    std::vector<Thumbnail> m_thumbnails;
    int m_current = 0;
};

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

class QCheckBox;
class QLabel;
class QScrollArea;

/// The user's own images after preprocessing, shown below the images if there are any, with a
/// description of the last clicked one.
class PictureStrip : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QImage prepared;
        QString name;   ///< "seven.png"
        QString note;   ///< preprocessing steps
        bool inverted = false;
    };
    explicit PictureStrip(QWidget* parent = nullptr);

    // Sends no signal.
    void setEntries(std::vector<Entry> entries);   ///< none: hides the strip
    void setCurrent(int index);                    ///< index of the described image
    void setChosen(bool chosen);                   ///< Is the current one the selected input?
    int count() const { return static_cast<int>(m_entries.size()); }
    int current() const { return m_current; }

signals:
    void activated(int index);
    void inversionChanged(bool inverted);   ///< of the current image, by the user
    void closed();

private:
    void showEntries();

    std::vector<Entry> m_entries;
    int m_current = 0;
    bool m_chosen = false;
    ThumbnailStrip* m_strip;
    QScrollArea* m_scroll;
    QLabel* m_words;
    QCheckBox* m_invert;
};
