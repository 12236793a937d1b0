// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/film.h"

#include <QList>
#include <QtEndian>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace credence {
namespace {

template <class Number>
QByteArray bigEndian(Number number)
{
    QByteArray bytes(sizeof number, 0);
    qToBigEndian(number, bytes.data());
    return bytes;
}

QByteArray littleEndian(int number)
{
    QByteArray bytes(2, 0);
    qToLittleEndian(static_cast<quint16>(number), bytes.data());
    return bytes;
}

/// Writes one chunk: length, name, content and checksum.
QByteArray pngChunk(const char* name, const QByteArray& content)
{
    const QByteArray body = QByteArray(name, 4) + content;
    const auto checksum   = crc32(0, reinterpret_cast<const Bytef*>(body.constData()), static_cast<uInt>(body.size()));
    return bigEndian(static_cast<quint32>(content.size())) + body + bigEndian(static_cast<quint32>(checksum));
}

constexpr qsizetype pngSignature = 8, aroundChunk = 12;   // bytes

}   // namespace

void AnimatedPng::add(const QByteArray& png, int hundredths)
{
    const bool first = m_number == 0;
    if (first)
        m_bytes = png.left(pngSignature);
    bool begun = false;
    for (qsizetype at = pngSignature; at + aroundChunk <= png.size();) {
        const auto length     = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
        const QByteArray name = png.mid(at + 4, 4), content = png.mid(at + 8, length);
        if (name == "IDAT" && !std::exchange(begun, true)) {
            if (first)
                m_bytes += pngChunk("acTL", bigEndian(static_cast<quint32>(m_frames)) + bigEndian(quint32(0)));
            const auto* size = png.constData() + pngSignature + 8;   // IHDR is the first chunk
            m_bytes += pngChunk("fcTL", bigEndian(m_number++) + QByteArray(size, 8) + QByteArray(8, 0)
                                            + bigEndian(static_cast<quint16>(hundredths)) + bigEndian(quint16(100))
                                            + QByteArray(2, 0));
        }
        if (name == "IDAT" && !first)
            m_bytes += pngChunk("fdAT", bigEndian(m_number++) + content);
        else if (first && name != "IEND")
            m_bytes += png.mid(at, aroundChunk + length);
        at += aroundChunk + length;
    }
}

QByteArray AnimatedPng::bytes() const { return m_bytes + pngChunk("IEND", {}); }

namespace {

constexpr std::size_t gifColours = 256;

struct ColourCount {
    std::array<int, 3> channels{};
    long count = 0;
};

/// The channel of a box of colours with the widest range, and that range.
struct WidestChannel {
    std::size_t channel = 0;
    int low = 0, high = 0;

    explicit WidestChannel(const std::vector<ColourCount>& box)
    {
        for (std::size_t c = 0; c < 3; ++c) {
            const auto lower         = [c](const auto& a, const auto& b) { return a.channels[c] < b.channels[c]; };
            const auto [least, most] = std::minmax_element(box.begin(), box.end(), lower);
            if (most->channels[c] - least->channels[c] > high - low)
                *this = {c, least->channels[c], most->channels[c]};
        }
    }
    WidestChannel(std::size_t widest, int from, int to) : channel(widest), low(from), high(to) {}
};

/// Halves the box of the widest range until there are 256, and returns the most frequent colour of
/// each, so that background and text stay exact.
QList<QRgb> paletteOf(const QImage& image)
{
    std::map<QRgb, long> counts;   // ordered, so that equal pictures have equal palettes
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width();) {
            const int from = x;
            while (x < image.width() && line[x] == line[from])
                ++x;
            counts[line[from] | 0xff000000] += x - from;
        }
    }
    std::vector<std::vector<ColourCount>> boxes(1);
    for (const auto& [colour, count] : counts)
        boxes[0].push_back({{qRed(colour), qGreen(colour), qBlue(colour)}, count});
    std::vector<WidestChannel> widest{WidestChannel(boxes[0])};
    while (boxes.size() < gifColours) {
        const auto narrower = [](const auto& a, const auto& b) { return a.high - a.low < b.high - b.low; };
        const auto k        = static_cast<std::size_t>(std::max_element(widest.begin(), widest.end(), narrower)
                                                - widest.begin());
        const auto cut      = widest[k];
        if (cut.low == cut.high)
            break;
        const auto upper = std::stable_partition(boxes[k].begin(), boxes[k].end(), [&](const ColourCount& one) {
            return 2 * one.channels[cut.channel] <= cut.low + cut.high;
        });
        std::vector<ColourCount> half(upper, boxes[k].end());
        boxes[k].erase(upper, boxes[k].end());
        widest[k] = WidestChannel(boxes[k]);
        widest.emplace_back(half);
        boxes.push_back(std::move(half));
    }
    QList<QRgb> palette;
    for (const auto& box : boxes) {
        const auto rarer      = [](const ColourCount& a, const ColourCount& b) { return a.count < b.count; };
        const auto& [r, g, b] = std::max_element(box.begin(), box.end(), rarer)->channels;
        palette.append(qRgb(r, g, b));
    }
    return palette;
}

/// Collects codes of up to 12 bits into blocks of at most 255 bytes.
class GifBits {
public:
    void add(int code, int bits)
    {
        m_held |= static_cast<std::uint32_t>(code) << m_bits;
        for (m_bits += bits; m_bits >= 8; m_bits -= 8, m_held >>= 8)
            m_bytes += static_cast<char>(m_held & 0xff);
    }
    QByteArray blocks()
    {
        if (m_bits > 0)
            m_bytes += static_cast<char>(m_held & 0xff);
        QByteArray all;
        for (qsizetype at = 0; at < m_bytes.size(); at += 255) {
            const QByteArray block = m_bytes.mid(at, 255);
            all += static_cast<char>(block.size()) + block;
        }
        return all + char(0);
    }

private:
    std::uint32_t m_held = 0;
    int m_bits           = 0;
    QByteArray m_bytes;
};

/// Compresses palette indices by LZW with codes of 9 to 12 bits.
QByteArray gifPixels(const QImage& indexed)
{
    constexpr int clear = 256, end = 257, last = 4095, fewest = 9;
    std::vector<std::array<std::uint16_t, 256>> longer(last + 1);   // code of a string and one more index; 0: none
    GifBits bits;
    int newest = end, width = fewest, string = -1;
    bits.add(clear, width);
    for (int y = 0; y < indexed.height(); ++y)
        for (int x = 0; x < indexed.width(); ++x) {
            const uchar index = indexed.constScanLine(y)[x];
            if (string < 0) {
                string = index;
                continue;
            }
            auto& next = longer[static_cast<std::size_t>(string)][index];
            if (next != 0) {
                string = next;
                continue;
            }
            bits.add(string, width);
            next = static_cast<std::uint16_t>(++newest);
            if (newest >= 1 << width)
                ++width;
            if (newest == last) {
                bits.add(clear, width);
                std::fill(longer.begin(), longer.end(), std::array<std::uint16_t, 256>{});
                newest = end;
                width  = fewest;
            }
            string = index;
        }
    bits.add(string, width);
    bits.add(clear, width);
    bits.add(end, fewest);
    return bits.blocks();
}

}   // namespace

AnimatedGif::AnimatedGif(QSize size)
{
    m_bytes = "GIF89a" + littleEndian(size.width()) + littleEndian(size.height()) + QByteArray("\x70\x00\x00", 3)
              + QByteArray("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", 19);
}

void AnimatedGif::add(const QImage& image, int hundredths)
{
    const QImage exact   = image.convertToFormat(QImage::Format_RGB32);
    QList<QRgb> colours  = paletteOf(exact);
    const QImage indexed = exact.convertToFormat(QImage::Format_Indexed8, colours);
    colours.resize(static_cast<qsizetype>(gifColours));
    m_bytes += QByteArray("\x21\xf9\x04\x04", 4) + littleEndian(hundredths) + QByteArray(2, 0);
    m_bytes += QByteArray("\x2c\x00\x00\x00\x00", 5) + littleEndian(image.width()) + littleEndian(image.height())
               + char(0x87);   // with 2^(7 + 1) colours of its own
    for (const QRgb colour : std::as_const(colours))
        for (const int channel : {qRed(colour), qGreen(colour), qBlue(colour)})
            m_bytes += static_cast<char>(channel);
    m_bytes += char(8) + gifPixels(indexed);
}

}   // namespace credence
