// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/help_mark.h"

#include "parts/appearance.h"
#include "work/text.h"

#include <QApplication>
#include <QFontInfo>
#include <QFontMetrics>
#include <QFrame>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPointer>
#include <QScreen>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocumentFragment>
#include <QTextFragment>
#include <QVBoxLayout>
#include <QVariant>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr double greatestPopover = 0.6;          ///< of the height of the screen
constexpr int popoverMargin      = 11;           ///< around the text
constexpr const char* markKey    = "helpMark";   ///< property of a control

}   // namespace

HelpMark::HelpMark(const QString& subject, std::function<QString()> text, QWidget* parent)
    : HelpMark(subject, std::move(text), {parent}, parent)
{}

HelpMark::HelpMark(const QString& subject, std::function<QString()> text, std::initializer_list<QWidget*> controls,
                   QWidget* parent)
    : QToolButton(parent), m_text(std::move(text))
{
    setAutoRaise(true);
    fixWithText(this, 20, 22);
    setFocusPolicy(Qt::NoFocus);   // no stop of the Tab key: F1 on the control opens it
    setToolTip(tr("Show help (F1 on the control)"));
    setAccessibleName(tr("Help: %1").arg(subject));
    connect(this, &QToolButton::clicked, this, &HelpMark::showPopover);
    for (auto* control : controls)
        if (control)
            control->setProperty(markKey, QVariant::fromValue(QPointer<HelpMark>(this)));
    if (parent)
        parent->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &HelpMark::showIfNear);
    showIfNear();
}

/// An open popover gives up the focus while it is deleted with the mark, which must not react any more.
HelpMark::~HelpMark() { disconnect(qApp, nullptr, this, nullptr); }

bool HelpMark::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        showIfNear();
    return QToolButton::eventFilter(watched, event);
}

/// Only its text is shown and hidden, so that nothing moves.
void HelpMark::showIfNear()
{
    const auto* around = parentWidget();
    const bool near    = !around || around->underMouse() || FieldHelpKey::markOf(QApplication::focusWidget()) == this;
    if (near == text().isEmpty())
        setText(near ? QStringLiteral("?") : QString());
}

void HelpMark::showPopover()
{
    auto* popover = new QFrame(this, Qt::Popup);
    popover->setObjectName(QStringLiteral("helpPopover"));
    popover->setAttribute(Qt::WA_DeleteOnClose);
    popover->setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    popover->setAutoFillBackground(true);
    auto* text = new HelpText(popover);
    text->setFrameShape(QFrame::NoFrame);
    text->viewport()->setAutoFillBackground(false);
    text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    text->setOpenExternalLinks(true);
    text->document()->setDocumentMargin(0);
    const QRect room     = screen()->availableGeometry().adjusted(4, 4, -4, -4);   // a gap to the edges
    const int width      = std::min(withText(360), room.width() - 2 * popoverMargin);
    const int mostHeight = static_cast<int>(greatestPopover * room.height())
                           - 2 * (popoverMargin + popover->frameWidth());
    text->document()->setTextWidth(width);
    text->showHtml(m_text());
    text->document()->setTextWidth(width);
    const int height = static_cast<int>(std::ceil(text->document()->size().height()));
    if (height > mostHeight)   // it scrolls: the bar takes its own width
        text->setFixedSize(width + text->verticalScrollBar()->sizeHint().width(), mostHeight);
    else
        text->setFixedSize(width, height);
    auto* layout = new QVBoxLayout(popover);
    layout->setContentsMargins(popoverMargin, popoverMargin, popoverMargin, popoverMargin);
    layout->addWidget(text);
    popover->resize(popover->sizeHint());   // adjustSize has a minimum of its own
    QPoint at = mapToGlobal(QPoint(this->width() + 4, 0));
    at.setX(std::min(at.x(), room.right() - popover->width()));
    at.setY(std::min(at.y(), room.bottom() - popover->height()));
    popover->move(std::max(at.x(), room.left()), std::max(at.y(), room.top()));
    popover->show();
    text->setFocus();
}

QString htmlFrom(const std::string& words)
{
    return toQString(words).toHtmlEscaped().replace('\n', QStringLiteral("<br>"));
}

namespace {

bool isF1(const QEvent& event)
{
    const auto& key = static_cast<const QKeyEvent&>(event);
    return key.key() == Qt::Key_F1 && !(key.modifiers() & ~Qt::KeypadModifier);
}

}   // namespace

FieldHelpKey::FieldHelpKey(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

HelpMark* FieldHelpKey::markOf(const QWidget* control)
{
    for (; control; control = control->isWindow() ? nullptr : control->parentWidget()) {
        auto* mark = control->property(markKey).value<QPointer<HelpMark>>().data();
        if (mark && mark->isVisible())
            return mark;
    }
    return nullptr;
}

bool FieldHelpKey::eventFilter(QObject* watched, QEvent* event)
{
    if ((event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) || !isF1(*event))
        return false;
    const auto* control = qobject_cast<QWidget*>(watched);
    if (!control || (QApplication::focusWidget() && control != QApplication::focusWidget()))
        return false;   // an event ignored by the control is passed to its parent
    auto* mark = markOf(control);
    if (!mark)
        return false;
    event->accept();   // so that it becomes no key of a menu, but comes here once more
    if (event->type() == QEvent::KeyPress)
        mark->click();
    return true;
}

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
