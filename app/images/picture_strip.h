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
        QString note;   ///< what was done to it
        bool inverted = false;
    };
    explicit PictureStrip(QWidget* parent = nullptr);

    // Sends no signal.
    void setEntries(std::vector<Entry> entries);   ///< none: it hides
    void setCurrent(int index);                    ///< whose text is shown
    void setChosen(bool chosen);                   ///< is the current one the chosen input?
    int count() const { return static_cast<int>(m_entries.size()); }
    int current() const { return m_current; }

signals:
    void activated(int index);
    void inversionChanged(bool inverted);   ///< of the current one, by hand
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
