// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>

namespace credence {

/// An animated PNG (APNG), made frame by frame from whole PNG files. It repeats forever; programs
/// that know no animation show its first frame.
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
