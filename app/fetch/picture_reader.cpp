// SPDX-License-Identifier: GPL-3.0-or-later
#include "fetch/picture_reader.h"

#include "foundation/error.h"
#include "foundation/png_chunks.h"
#include "work/text.h"

#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QStringList>
#include <QtEndian>
#include <QtGlobal>

#include <algorithm>
#include <mutex>

namespace {

/// While alive, collects messages of Qt and its plugins about work on this thread. Other threads
/// print as usual.
class QtRemarks {
public:
    QtRemarks();
    ~QtRemarks();
    QtRemarks(const QtRemarks&)            = delete;
    QtRemarks& operator=(const QtRemarks&) = delete;

    const QStringList& lines() const { return m_lines; }

private:
    static void collect(QtMsgType type, const QMessageLogContext& context, const QString& text);

    QStringList m_lines;
    QtRemarks* m_outer;
};

std::mutex installing;
int collectors                    = 0;
QtMessageHandler usual            = nullptr;
thread_local QtRemarks* innermost = nullptr;

void QtRemarks::collect(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (innermost) {
        innermost->m_lines += text;
        return;
    }
    QtMessageHandler handler;
    {
        const std::scoped_lock lock(installing);
        handler = usual;
    }
    if (handler && handler != &QtRemarks::collect)
        handler(type, context, text);
}

QtRemarks::QtRemarks() : m_outer(innermost)
{
    const std::scoped_lock lock(installing);
    if (collectors++ == 0)
        usual = qInstallMessageHandler(&QtRemarks::collect);
    innermost = this;
}

QtRemarks::~QtRemarks()
{
    innermost = m_outer;
    const std::scoped_lock lock(installing);
    if (--collectors > 0)
        return;
    // Keeps another handler that was installed in the meantime.
    if (const QtMessageHandler current = qInstallMessageHandler(usual); current != &QtRemarks::collect)
        qInstallMessageHandler(current);
}

using namespace credence;

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

/// Raster formats. Drawings (SVG, PDF) are excluded: they can reference other files, and their text
/// needs a window system.
const QByteArrayList& rasterFormats()
{
    static const QByteArrayList here = [] {
        const QByteArrayList known{"png",  "jpg",  "jpeg", "ppm",  "pgm",  "pbm",  "gif",  "bmp",
                                   "xbm",  "xpm",  "ico",  "cur",  "tif",  "tiff", "webp", "tga",
                                   "wbmp", "icns", "jp2",  "avif", "heic", "heif", "jxl"};
        QByteArrayList both;
        for (const QByteArray& format : QImageReader::supportedImageFormats())
            if (known.contains(format.toLower()))
                both += format.toLower();
        return both;
    }();
    return here;
}

[[noreturn]] void refuse(const QString& why) { throw Error("cannot be read as an image (" + why.toStdString() + ")."); }

/// Decoders silently accept files that end too early.
bool endIsMissing(const QByteArray& format, QFile& file)
{
    const qint64 size = file.size();
    if (format == "bmp") {
        file.seek(2);
        const QByteArray claimed = file.read(4);
        return claimed.size() == 4 && size < static_cast<qint64>(qFromLittleEndian<quint32>(claimed.constData()));
    }
    if (format != "gif" && format != "xbm")
        return false;
    file.seek(std::max<qint64>(0, size - 4096));
    return !file.readAll().contains(format == "gif" ? '\x3B' : '}');
}

/// Returns the decoder message that indicates missing or wrong pixels; else empty. Most messages
/// are about colour profiles and similar.
QString damage(const QStringList& remarks)
{
    for (const QString& remark : remarks)
        if ((remark.contains(QStringLiteral("Corrupt JPEG data"))
             && !remark.contains(QStringLiteral("extraneous bytes")))
            || remark.contains(QStringLiteral("Premature end")))
            return remark.contains(QStringLiteral("remature end"))
                       ? QStringLiteral("the file ends too early")
                       : QStringLiteral("parts of its JPEG data are damaged");
    return {};
}

QString reasonFor(const QImageReader& reader, const QStringList& remarks)
{
    for (const QString& remark : remarks)
        if (remark.contains(QStringLiteral("allocation limit")))
            return QStringLiteral("it has %1 × %2 pixels and would need more than %3 MB")
                .arg(reader.size().width())
                .arg(reader.size().height())
                .arg(QImageReader::allocationLimit());
    return reader.error() == QImageReader::InvalidDataError ? QStringLiteral("its data are damaged or end too early")
                                                            : reader.errorString();
}

DecodedPicture readPicture(const std::filesystem::path& path) { return decodedPicture(readPictureFile(path)); }

}   // namespace

DecodedPicture decodedPicture(const QImage& image)
{
    if (image.isNull())
        throw Error("found an empty image, expected at least one pixel.");
    return pictureOf(onWhite(image));
}

QImage readPictureFile(const std::filesystem::path& path)
{
    std::error_code failed;
    const auto kind = std::filesystem::status(path, failed).type();
    if (std::filesystem::exists(path, failed) && kind != std::filesystem::file_type::regular)
        refuse(QStringLiteral("it is not a regular file"));   // reading a pipe may never finish
    const QtRemarks remarks;
    QFile file(toQString(path.string()));
    if (!file.open(QIODevice::ReadOnly))
        refuse(file.errorString());
    if (file.size() == 0)
        refuse(QStringLiteral("the file is empty"));
    const QByteArray format = QImageReader::imageFormat(&file);
    if (format.startsWith("svg") || path.extension() == ".svgz"
        || file.peek(1000).contains("<svg"))   // without Qt's reader of SVG, format is empty
        refuse(QStringLiteral("it is an SVG drawing; convert it to PNG"));
    if (!rasterFormats().contains(format))
        refuse(QStringLiteral("its format is unknown, expected PNG, JPEG, PPM or similar"));
    if (const auto mistake = mistake_in_png_chunks(path))
        throw Error("cannot be read as an image (" + *mistake + ").");
    if (endIsMissing(format, file))
        refuse(QStringLiteral("the file ends too early"));
    file.seek(0);
    QImageReader reader(&file, format);
    reader.setAutoDetectImageFormat(false);
    reader.setAutoTransform(true);
    QImage image = reader.read();
    if (image.isNull())
        refuse(reasonFor(reader, remarks.lines()));
    if (const QString found = damage(remarks.lines()); !found.isEmpty())
        refuse(found);
    return image;
}

QStringList pictureFileFilters()
{
    QStringList filters;
    for (const QByteArray& format : rasterFormats())
        filters += QStringLiteral("*.") + QString::fromLatin1(format);
    return filters;
}

PictureReader qtPictureReader()
{
    PictureReader reader;
    for (const QByteArray& format : rasterFormats())
        reader.suffixes.push_back(format.toStdString());
    reader.suffixes.insert(reader.suffixes.end(), {"svg", "svgz"});   // reported and refused instead of skipped
    reader.read = readPicture;
    return reader;
}
