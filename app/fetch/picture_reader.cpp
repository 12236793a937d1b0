// SPDX-License-Identifier: GPL-3.0-or-later
#include "fetch/picture_reader.h"

#include "work/text.h"

#include "foundation/error.h"
#include "foundation/png_chunks.h"

#include <QImage>
#include <QImageReader>

using namespace credence;

namespace {

DecodedPicture pictureOf(const QImage& image)
{
    const auto height = static_cast<std::size_t>(image.height()), width = static_cast<std::size_t>(image.width());
    DecodedPicture picture{image.isGrayscale() ? 1u : 3u, height, width, {}};
    picture.pixels.resize(picture.channels * height * width);
    const QImage rows = image.convertToFormat(picture.channels == 1 ? QImage::Format_Grayscale8
                                                                    : QImage::Format_RGB888);
    for (std::size_t y = 0; y < height; ++y) {
        const uchar* const row = rows.constScanLine(static_cast<int>(y));
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t c = 0; c < picture.channels; ++c)
                picture.pixels[(c * height + y) * width + x] = row[x * picture.channels + c];
    }
    return picture;
}

QImage onWhite(const QImage& image)
{
    if (!image.hasAlphaChannel())
        return image;
    QImage solid = image.convertToFormat(QImage::Format_ARGB32);
    for (int y = 0; y < solid.height(); ++y) {
        auto* const row = reinterpret_cast<QRgb*>(solid.scanLine(y));
        for (int x = 0; x < solid.width(); ++x) {
            const int alpha  = qAlpha(row[x]);
            const auto mixed = [alpha](int value) { return (value * alpha + 255 * (255 - alpha) + 127) / 255; };
            row[x]           = qRgb(mixed(qRed(row[x])), mixed(qGreen(row[x])), mixed(qBlue(row[x])));
        }
    }
    return solid;
}

DecodedPicture readPicture(const std::filesystem::path& file)
{
    if (const auto mistake = mistake_in_png_chunks(file))
        throw Error("cannot be read as a picture (" + *mistake + ").");
    QImageReader reader(toQString(file.string()));
    reader.setAutoTransform(true);
    reader.setDecideFormatFromContent(true);
    const QImage image = reader.read();
    if (image.isNull())
        throw Error("cannot be read as a picture (" + reader.errorString().toStdString() + ").");
    return decodedPicture(image);
}

}   // namespace

DecodedPicture decodedPicture(const QImage& image)
{
    if (image.isNull())
        throw Error("found an empty picture, expected at least one pixel.");
    return pictureOf(onWhite(image));
}

PictureReader qtPictureReader()
{
    PictureReader reader;
    for (const QByteArray& suffix : QImageReader::supportedImageFormats())
        reader.suffixes.push_back(suffix.toLower().toStdString());
    reader.read = readPicture;
    return reader;
}
