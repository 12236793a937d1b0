// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/thumbnail_strip.h"

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
