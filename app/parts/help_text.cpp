// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_text.h"

#include <QFontInfo>
#include <QFontMetrics>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QPainter>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocumentFragment>
#include <QTextFragment>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace credence {
std::vector<std::pair<std::string, std::string>> formula_texts();   // made at build time
}

namespace {

constexpr double unitsPerFontSize = 1000;               ///< of the pictures
constexpr double inSentence = 1.15, onOwnLine = 1.35;   ///< sizes relative to the text, whose letters are wider

struct Formula {
    QString text;     ///< as in the help texts
    QByteArray svg;   ///< its baseline is y = 0
};

/// Longest first, since a formula can be a part of another one.
const std::vector<Formula>& formulas()
{
    static const auto all = [] {
        std::vector<Formula> found;
        for (const auto& file : credence::formula_texts())
            for (const auto& entry : QJsonDocument::fromJson(QByteArray::fromStdString(file.second)).array())
                if (const auto svg = entry[QLatin1String("svg")].toString(); !svg.isEmpty())
                    found.push_back({entry[QLatin1String("text")].toString(), svg.toUtf8()});
        std::stable_sort(found.begin(), found.end(),
                         [](const Formula& a, const Formula& b) { return a.text.size() > b.text.size(); });
        return found;
    }();
    return all;
}

/// The name of a picture within its document: "formula:<index>/<size>".
const QString formulaScheme = QStringLiteral("formula:");

const Formula* formulaOf(const QTextFragment& part)
{
    const QString name = part.charFormat().toImageFormat().name();
    if (!name.startsWith(formulaScheme))
        return nullptr;
    return &formulas()[name.mid(formulaScheme.size()).section('/', 0, 0).toULongLong()];
}

bool endsWord(const QTextDocument& text, int position)
{
    const QChar at = text.characterAt(position);
    return !at.isLetterOrNumber() && at != '_';
}

bool isOnOwnLine(const QTextCursor& formula)
{
    const QString line = formula.block().text();
    const auto from    = formula.selectionStart() - formula.block().position();
    const auto isEnd   = [&](qsizetype at) { return at < 0 || at >= line.size() || line[at] == QChar::LineSeparator; };
    auto after         = from + formula.selectedText().size();
    if (!isEnd(after) && QStringLiteral(".,:;").contains(line[after]))
        ++after;
    return isEnd(from - 1) && isEnd(after);
}

template <class Visit>
void forEachFragment(const QTextBlock& block, Visit visit)
{
    for (auto part = block.begin(); !part.atEnd(); ++part)
        visit(part.fragment());
}

/// The text of a block with its formulas in characters; sets `any` if there are some.
QString plainBlock(const QTextBlock& block, bool& any)
{
    QString text;
    forEachFragment(block, [&](const QTextFragment& part) {
        if (const auto* formula = formulaOf(part)) {
            text += formula->text.repeated(part.length());
            any = true;
        } else {
            text += part.text();
        }
    });
    return text.replace(QChar::LineSeparator, '\n');
}

/// Centred on half the height of an "x" above the baseline, as QTextCharFormat::AlignMiddle expects.
QImage formulaPicture(const Formula& formula, double size, const QTextCharFormat& format, const QColor& colour,
                      double greatestWidth, double pixelRatio)
{
    QByteArray svg = formula.svg;
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer drawing(svg);
    const QRectF box    = drawing.viewBoxF();
    const double scale  = std::min(size * QFontInfo(format.font()).pixelSize() / unitsPerFontSize,
                                   greatestWidth / box.width());
    const double shift  = QFontMetrics(format.font()).xHeight() / 2.0;
    const double height = std::ceil(std::max(-2 * scale * box.top() - shift, 2 * scale * box.bottom() + shift));
    const double width  = std::ceil(scale * box.width());
    QImage picture((QSizeF(width, height) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(pixelRatio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    drawing.render(&painter, {QPointF(0, (height + shift) / 2 + scale * box.top()), box.size() * scale});
    return picture;
}

}   // namespace

HelpText::HelpText(QWidget* parent) : QTextBrowser(parent) {}

void HelpText::showHtml(const QString& html)
{
    setHtml(html);
    typeset();
}

void HelpText::showMarkdown(const QString& markdown)
{
    setMarkdown(markdown);
    typeset();
}

void HelpText::typeset()
{
    auto& text = *document();
    for (std::size_t i = 0; i < formulas().size(); ++i) {
        const QString& words = formulas()[i].text;
        QTextCursor at(&text);
        while (!(at = text.find(words, at, QTextDocument::FindCaseSensitively)).isNull()) {
            if (!endsWord(text, at.selectionStart() - 1) || !endsWord(text, at.selectionEnd()))
                continue;
            const double size = isOnOwnLine(at) ? onOwnLine : inSentence;
            QTextImageFormat format;
            format.merge(at.charFormat());
            format.setName(QStringLiteral("%1%2/%3").arg(formulaScheme).arg(i).arg(size));
            format.setVerticalAlignment(QTextCharFormat::AlignMiddle);
            format.setProperty(QTextFormat::ImageAltText, words);
            at.insertImage(format);
        }
    }
    draw();
    QStringList spoken;   // screen readers find no letters in a picture
    for (auto block = text.begin(); block.isValid(); block = block.next()) {
        bool any            = false;
        const QString words = plainBlock(block, any);
        if (any)
            spoken += words;
    }
    setAccessibleDescription(spoken.join('\n'));
}

void HelpText::draw()
{
    auto& text         = *document();
    bool any           = false;
    const double width = (text.textWidth() > 0 ? text.textWidth() : viewport()->width()) - 2 * text.documentMargin();
    for (auto block = text.begin(); block.isValid(); block = block.next())
        forEachFragment(block, [&](const QTextFragment& part) {
            const auto* formula = formulaOf(part);
            if (!formula)
                return;
            any                 = true;
            const auto format   = part.charFormat();
            const QString name  = format.toImageFormat().name();
            const QBrush& brush = format.foreground();
            const QColor colour = brush.style() == Qt::NoBrush ? palette().color(QPalette::Text) : brush.color();
            text.addResource(QTextDocument::ImageResource, QUrl(name),
                             formulaPicture(*formula, name.section('/', 1).toDouble(), format, colour,
                                            std::max(1.0, width), devicePixelRatioF()));
        });
    if (any)
        text.markContentsDirty(0, text.characterCount());
}

void HelpText::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::ApplicationFontChange)
        draw();
}

void HelpText::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        draw();   // wide formulas are as wide as the text
}

QMimeData* HelpText::createMimeDataFromSelection() const
{
    QTextDocument selected;
    QTextCursor(&selected).insertFragment(textCursor().selection());
    QStringList lines;
    bool any = false;
    for (auto block = selected.begin(); block.isValid(); block = block.next())
        lines += plainBlock(block, any);
    if (!any)
        return QTextBrowser::createMimeDataFromSelection();
    auto* data = new QMimeData;
    data->setText(lines.join('\n'));
    return data;
}
