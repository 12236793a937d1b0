// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/figure_files.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace credence {

/// Gives the panels of all charts common axis ranges and colour scales that contain the ranges of
/// every chart. Panels and maps are matched by their positions.
void holdScales(std::span<Chart> charts);

/// One frame: the chart at slide size, its caption below, and a thin line that shows how much of
/// training has passed.
QImage filmFrame(const Chart& chart, const FilmFrame& frame, const FilmStyle& style);

/// Writes a film, one frame at a time: FILE.png is an animated PNG, FILE.gif a GIF, and a name
/// without suffix a new folder of frame-001.png, … The target appears once it is complete.
class FilmWriter {
public:
    /// @param charts     at least two, one per frame
    /// @param studyJson  stored in PNG files; empty: none
    /// @throws Error     that names the file
    FilmWriter(std::vector<Chart> charts, std::vector<FilmFrame> frames, const FilmStyle& style, const QString& file,
               const QByteArray& studyJson);
    ~FilmWriter();   ///< removes the frames of an incomplete folder
    FilmWriter(const FilmWriter&)            = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;

    bool step();   ///< Draws the next frame, or writes the file. @return  false: the film is complete

private:
    struct Target;
    struct Folder;
    struct PngFile;
    struct GifFile;

    std::vector<Chart> m_charts;
    std::vector<FilmFrame> m_frames;
    FilmStyle m_style;
    std::size_t m_next = 0;
    std::unique_ptr<Target> m_target;
};

/// An animated PNG (APNG), made frame by frame from whole PNG files. It repeats forever; programs
/// without APNG support show its first frame.
/// Source: W3C, Portable Network Graphics (PNG) Specification (Third Edition), sections 4.9 and 11.3.6
class AnimatedPng {
public:
    explicit AnimatedPng(int frames) : m_frames(frames) {}
    /// @param png         all frames have the same size and colour type
    /// @param hundredths  how long it is shown, hundredths of a second
    void add(const QByteArray& png, int hundredths);
    /// @pre all frames were added
    QByteArray bytes() const;

private:
    int m_frames;
    quint32 m_number = 0;   // of the next chunk of the animation
    QByteArray m_bytes;
};

/// A GIF that repeats forever. Each frame has its own 256 colours, among them the most frequent of
/// its picture.
/// Source: CompuServe, Graphics Interchange Format, Version 89a (1990)
class AnimatedGif {
public:
    explicit AnimatedGif(QSize size);
    void add(const QImage& image, int hundredths);
    QByteArray bytes() const { return m_bytes + char(0x3b); }

private:
    QByteArray m_bytes;
};

}   // namespace credence
