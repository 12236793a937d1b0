// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/study_metadata.h"

#include "charts/figure_files.h"
#include "foundation/build_info.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/png_chunks.h"

#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QXmlStreamReader>
#include <nlohmann/json.hpp>

namespace credence {
namespace {

const QString elementId = QStringLiteral("credence-study");

[[noreturn]] void fail(const QString& file, const QString& what)
{
    throw Error(QStringLiteral("%1: %2.").arg(QFileInfo(file).fileName(), what).toStdString());
}

QByteArray contentOf(const QString& file)
{
    return QByteArray::fromStdString(
        read_file(QFile::encodeName(file).toStdString(), "a figure with its Study", std::uint64_t{1} << 30));
}

std::optional<QByteArray> inPng(const QString& file)
{
    contentOf(file);   // reports why the file cannot be read
    if (const auto mistake = mistake_in_png_chunks(QFile::encodeName(file).toStdString()))
        fail(file, QStringLiteral("is damaged: ") + QString::fromStdString(*mistake));
    QImageReader reader(file, "png");
    const QImage image = reader.read();
    if (image.isNull())
        fail(file, QStringLiteral("is damaged: expected a complete PNG image"));
    const QString text = image.text(QLatin1String(studyPngKey));
    return text.isEmpty() ? std::nullopt : std::optional(text.toUtf8());
}

std::optional<QByteArray> inSvg(const QString& file)
{
    QXmlStreamReader xml(contentOf(file));
    std::optional<QByteArray> study;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("metadata")
            && xml.attributes().value(QLatin1String("id")) == elementId)
            study = xml.readElementText().toUtf8();
    if (xml.hasError())
        fail(file, QStringLiteral("is damaged at line %1: expected a complete SVG image, found: %2")
                       .arg(xml.lineNumber())
                       .arg(xml.errorString()));
    return study;
}

/// The text between two byte strings; empty if there is none.
std::optional<QByteArray> between(const QByteArray& content, const QByteArray& begin, const QByteArray& end)
{
    const auto from = content.indexOf(begin);
    if (from < 0)
        return std::nullopt;
    const auto to = content.indexOf(end, from + begin.size());
    return to < 0 ? QByteArray() : content.mid(from + begin.size(), to - from - begin.size());
}

std::optional<QByteArray> inPdf(const QString& file)
{
    const QByteArray content = contentOf(file);
    if (!content.startsWith("%PDF") || content.lastIndexOf("%%EOF") < content.size() - 1024)
        fail(file, QStringLiteral("is damaged: expected a complete PDF document"));
    const auto encoded = between(content, "<credence:study>", "</credence:study>");
    if (!encoded)
        return std::nullopt;
    const auto decoded = QByteArray::fromBase64Encoding(encoded->simplified().replace(' ', ""),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        fail(file, QStringLiteral("its Study is damaged: expected base64 in the metadata"));
    return *decoded;
}

std::optional<QByteArray> inHtml(const QString& file)
{
    auto study = between(contentOf(file), "<script type=\"application/json\" id=\"credence-study\">", "</script>");
    if (study)
        study->replace("<\\/", "</");
    return study;
}

/// Reads only the comments at the beginning of the file, since a table may be large.
std::optional<QByteArray> inComments(const QString& file, char sign)
{
    constexpr qint64 longestLine = qint64{1} << 26;   // bytes
    QFile lines(file);
    if (!QFileInfo(file).isFile() || !lines.open(QIODevice::ReadOnly))
        contentOf(file);   // names the reason
    QByteArray study;
    bool inside = false;
    while (lines.peek(1) == QByteArray(1, sign)) {
        QByteArray line = lines.readLine(longestLine);
        if (line.endsWith('\n'))
            line.chop(1);
        QByteArray text = line.mid(line.startsWith(QByteArray(1, sign) + ' ') ? 2 : 1);
        if (text.endsWith('\r'))
            text.chop(1);
        if (text.startsWith(study_hash_mark))
            fail(file, QStringLiteral("contains only the hash of its Study, %1, because the Study is too long for "
                                      "the file; open study.json of the run")
                           .arg(QString::fromUtf8(text.mid(qstrlen(study_hash_mark)))));
        if (text == study_begin_mark)
            inside = true;
        else if (text == study_end_mark) {
            study.chop(1);   // the line break before the mark
            return study;
        } else if (inside)
            study += text + '\n';
    }
    if (inside)
        fail(file,
             QStringLiteral("its Study is damaged: expected a comment \"%1\"").arg(QLatin1String(study_end_mark)));
    return std::nullopt;
}

}   // namespace

QString creatorOfFigures() { return QStringLiteral("Credence ") + QString::fromStdString(build_text(this_build())); }

QByteArray studyAsSvg(const QByteArray& studyJson)
{
    const QByteArray creator = "<metadata id=\"credence-build\">" + creatorOfFigures().toHtmlEscaped().toUtf8()
                               + "</metadata>";
    return studyJson.isEmpty() ? creator
                               : creator + "<metadata id=\"credence-study\">"
                                     + QString::fromUtf8(studyJson).toHtmlEscaped().toUtf8() + "</metadata>";
}

QByteArray studyAsXmp(const QByteArray& studyJson, const QString& title, const QString& description)
{
    const auto alternative = [](const char* name, const QString& text) {
        return QByteArray("   <dc:") + name + "><rdf:Alt><rdf:li xml:lang=\"x-default\">"
               + text.toHtmlEscaped().toUtf8() + "</rdf:li></rdf:Alt></dc:" + name + ">\n";
    };
    QByteArray xmp =
        "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
        "  <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
        "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
        " xmlns:credence=\"urn:credence:study:1\">\n";
    xmp += alternative("title", title) + alternative("description", description);
    xmp += "   <xmp:CreatorTool>" + creatorOfFigures().toHtmlEscaped().toUtf8() + "</xmp:CreatorTool>\n";
    if (!studyJson.isEmpty())
        xmp += "   <credence:study>" + studyJson.toBase64() + "</credence:study>\n";
    return xmp + "  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>";
}

QByteArray studyAsHtml(const QByteArray& studyJson)
{
    if (studyJson.isEmpty())
        return {};
    QByteArray safe = studyJson;
    safe.replace("</", "<\\/");   // the same string in JSON, but does not end the script
    return "<script type=\"application/json\" id=\"credence-study\">" + safe + "</script>";
}

std::string studyAsComments(const QByteArray& studyJson)
{
    return studyJson.isEmpty() ? std::string() : study_comments_of(studyJson.toStdString() + '\n');
}

std::optional<QByteArray> studyIn(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    std::optional<QByteArray> study;
    if (suffix == QLatin1String("png"))
        study = inPng(file);
    else if (suffix == QLatin1String("svg"))
        study = inSvg(file);
    else if (suffix == QLatin1String("pdf"))
        study = inPdf(file);
    else if (suffix == QLatin1String("html"))
        study = inHtml(file);
    else if (suffix == QLatin1String("csv"))
        study = inComments(file, '#');
    else if (suffix == QLatin1String("tex"))
        study = inComments(file, '%');
    else
        fail(file, QStringLiteral("ends in \"%1\", expected pdf, svg, png, csv, tex or html").arg(suffix));
    if (study)
        parse_json(study->toStdString(), QFileInfo(file).fileName().toStdString() + ": its Study is damaged",
                   "JSON in the metadata");
    return study;
}

}   // namespace credence
