// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/preset_cards.h"

#include "foundation/error.h"
#include "gallery/gallery.h"
#include "images/image_list.h"
#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "runs/comparison.h"
#include "runs/estimated_time.h"
#include "runs/experiment.h"
#include "session/saved_run.h"
#include "study/method.h"
#include "study/names.h"
#include "study/presets.h"
#include "study/source.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <variant>
#include <vector>

using namespace credence;

namespace {

constexpr int rowsOnPicture = 240, imagesInRow = 3;

void paintPoints(QPainter& painter, const Dataset& data, const ChartPalette& palette, double side)
{
    const bool classes  = data.task == Task::classification;
    const auto ordinate = [&](std::size_t i) { return classes ? data.row(i)[1] : data.targets[i]; };
    double left = data.row(0)[0], right = left, low = ordinate(0), high = low;
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        left  = std::min(left, data.row(i)[0]);
        right = std::max(right, data.row(i)[0]);
        low   = std::min(low, ordinate(i));
        high  = std::max(high, ordinate(i));
    }
    constexpr double margin = 4, radius = 1.2;
    const double width = std::max(1e-9, right - left), height = std::max(1e-9, high - low);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        painter.setBrush(classes ? palette.category(data.labels[i]) : palette.data);
        painter.drawEllipse(QPointF(margin + (data.row(i)[0] - left) / width * (side - 2 * margin),
                                    side - margin - (ordinate(i) - low) / height * (side - 2 * margin)),
                            radius, radius);
    }
}

void paintImages(QPainter& painter, const ImageSet& set, double side)
{
    const double cell = (side - 4) / imagesInRow;
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (int i = 0; i < imagesInRow * imagesInRow && static_cast<std::size_t>(i) < set.n; ++i)
        painter.drawImage(QRectF(2 + i % imagesInRow * cell, 2 + i / imagesInRow * cell, cell - 1, cell - 1),
                          pictureOf(set, static_cast<std::size_t>(i)));
}

void paintWords(QPainter& painter, const QString& words, const ChartPalette& palette, double side)
{
    painter.setPen(palette.muted);
    QFont font = painter.font();
    font.setPixelSize(std::max(8, static_cast<int>(side / 5)));
    painter.setFont(font);
    painter.drawText(QRectF(2, 2, side - 4, side - 4), Qt::AlignCenter | Qt::TextWrapAnywhere, words);
}

}   // namespace

QImage presetPicture(const DataSpec& data, const ChartPalette& palette, int side, double devicePixelRatio)
{
    QImage picture(QSize(side, side) * devicePixelRatio, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(devicePixelRatio);
    picture.fill(palette.background);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool fromFiles = data.source == DataSource::images || data.source == DataSource::csv;
    try {
        DataSpec few               = data;
        few.toy.n                  = std::min(few.toy.n, rowsOnPicture);
        few.images.training_images = few.images.test_images = 40;
        if (fromFiles)
            paintWords(painter,
                       QFileInfo(toQString(data.source == DataSource::csv ? data.file : data.images.set)).baseName(),
                       palette, side);
        else if (const auto& source = source_of(few); source.gives_images())
            paintImages(painter, source.load_images(few).training, side);
        else
            paintPoints(painter, load_data(few), palette, side);
    } catch (const std::exception&) {   // errors are reported with the Study, not in a preview
        paintWords(painter, QStringLiteral("–"), palette, side);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.grid, 1));
    painter.drawRect(QRectF(0.5, 0.5, side - 1, side - 1));
    return picture;
}

namespace {

const QString comparisonMark = QStringLiteral("compare/");   ///< of cards that are no Study

constexpr int cardGap = 4, leastCard = 176, presetRound = 8, cardPad = 8;   // pixels; the gap is on each side of a card
constexpr int titleLines  = 2;                                              ///< of a card
constexpr int previewSide = 112;                                            ///< of a preview of data

enum PresetRole {
    id_role = Qt::UserRole,
    heading_role,
    about_role,
    words_role,   ///< that the search looks in
    picture_role,
    method_role,   ///< as shown
    time_role,     ///< as shown
    data_filter,
    method_filter,
    time_filter,
    paper_filter
};

bool isHeading(const QModelIndex& index) { return index.data(heading_role).toBool(); }

/// Paints headings over the whole width, and cards in as many columns as fit.
class PresetCardDelegate : public QStyledItemDelegate {
public:
    explicit PresetCardDelegate(QListView* list) : QStyledItemDelegate(list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        // As if there were a scroll bar, so that the cards do not move when it appears.
        const int wide = std::max(leastCard, m_list->maximumViewportSize().width()
                                                 - m_list->verticalScrollBar()->sizeHint().width());
        if (isHeading(index))
            return {wide, option.fontMetrics.height() + 3 * cardPad};
        const int cell = wide / std::max(1, wide / withFont(leastCard));
        return {cell, pictureHeight(cell) + (titleLines + 1) * option.fontMetrics.height() + 2 * cardPad + 2 * cardGap};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QPalette colours = option.palette;
        colours.setCurrentColorGroup(QPalette::Active);   // headings cannot be chosen, but are no pale text
        const QColor base = colours.color(QPalette::Base), ink = colours.color(QPalette::Text);
        const QColor pale = legible(colours.color(QPalette::PlaceholderText), base);
        QFont bold        = option.font;
        bold.setBold(true);
        painter->save();
        painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        if (isHeading(index)) {
            const QRect line = option.rect.adjusted(cardGap, cardPad, -cardGap, 0);
            painter->setFont(bold);
            painter->setPen(ink);
            QRect used;
            painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString(), &used);
            painter->setFont(option.font);
            painter->setPen(pale);
            const QRect rest = line.adjusted(used.width() + 2 * cardPad, 0, 0, 0);
            painter->drawText(
                rest, Qt::AlignLeft | Qt::AlignVCenter,
                option.fontMetrics.elidedText(index.data(about_role).toString(), Qt::ElideRight, rest.width()));
            return painter->restore();
        }
        if (option.rect.width() <= 2 * cardGap)   // a card that the filter hides: the list has no place for it
            return painter->restore();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool hovered  = option.state.testFlag(QStyle::State_MouseOver);
        const QRectF card   = QRectF(option.rect).adjusted(cardGap, cardGap, -cardGap, -cardGap);
        QPainterPath round;
        round.addRoundedRect(card, presetRound, presetRound);
        painter->fillPath(round, hovered ? laidOver(ink, base, 0.05) : base);
        QRectF picture(card);
        picture.setHeight(pictureHeight(option.rect.width()));
        painter->setClipPath(round);
        paintPicture(*painter, picture, index, ChartPalette::forScreen(colours));
        painter->setClipping(false);
        painter->setPen(selected ? QPen(colours.color(QPalette::Highlight), 2.5) : QPen(laidOver(ink, base, 0.2), 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), presetRound, presetRound);
        const int height = option.fontMetrics.height();
        QRect words(static_cast<int>(card.left()) + cardPad, static_cast<int>(picture.bottom()) + cardPad,
                    static_cast<int>(card.width()) - 2 * cardPad, height);
        painter->setFont(bold);
        painter->setPen(ink);
        for (const QString& line : titleIn(index.data().toString(), QFontMetrics(bold), words.width())) {
            painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, line);
            words.translate(0, height);
        }
        words.moveBottom(static_cast<int>(card.bottom()) - cardPad);
        painter->setFont(option.font);
        painter->setPen(hovered ? legible(pale, laidOver(ink, base, 0.05)) : pale);
        const QString time = index.data(time_role).toString();
        painter->drawText(words, Qt::AlignRight | Qt::AlignVCenter, time);
        if (!time.isEmpty())
            words.setRight(words.right() - option.fontMetrics.horizontalAdvance(time) - cardPad);
        const QString method = index.data(method_role).toString();
        const bool fits      = option.fontMetrics.horizontalAdvance(method) <= words.width();
        if (fits || !index.data().toString().contains(method, Qt::CaseInsensitive))   // else the title has it
            painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                              option.fontMetrics.elidedText(method, Qt::ElideRight, words.width()));
        painter->restore();
    }

private:
    /// In as many lines as a card has; the last one is elided.
    static QStringList titleIn(const QString& title, const QFontMetrics& metrics, int width)
    {
        QStringList lines;
        for (const QString& word : title.split(QLatin1Char(' '))) {
            const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
            if (!lines.isEmpty() && (lines.size() == titleLines || metrics.horizontalAdvance(longer) <= width))
                lines.back() = longer;
            else
                lines << word;
        }
        for (QString& line : lines)
            line = metrics.elidedText(line, Qt::ElideRight, width);
        return lines;
    }

    static int pictureHeight(int cell) { return (cell - 2 * cardGap) * 9 / 16; }

    /// A trained picture fills the width; the preview of data is a square in the middle.
    static void paintPicture(QPainter& painter, const QRectF& room, const QModelIndex& index,
                             const ChartPalette& palette)
    {
        painter.fillRect(room, palette.background);
        const auto picture = index.data(picture_role).value<QImage>();
        if (picture.isNull())
            return;
        const auto centred = [](const QRectF& around, const QSizeF& size) {
            return QRectF(around.center() - QPointF(size.width(), size.height()) / 2, size);
        };
        const QRectF all(picture.rect());
        if (picture.width() == picture.height())
            painter.drawImage(centred(room, all.size().scaled(room.size(), Qt::KeepAspectRatio)), picture);
        else
            painter.drawImage(room, picture, centred(all, room.size().scaled(all.size(), Qt::KeepAspectRatio)));
    }

    QListView* m_list;
};

QString trainedPicture(const QString& id) { return QStringLiteral(":/presets/%1.png").arg(id); }
bool hasTrainedPicture(const QString& id) { return QFileInfo::exists(trainedPicture(id)); }

/// A picture on white, on another ground: on a dark one, light and dark change places and hues stay.
QImage onGround(QImage picture, const QColor& ground)
{
    if (ground.lightnessF() > 0.5)
        return picture;
    picture = picture.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
        for (int x = 0; x < picture.width(); ++x) {
            float hue = 0, saturation = 0, lightness = 0;
            QColor::fromRgb(line[x]).getHslF(&hue, &saturation, &lightness);
            const auto low = static_cast<float>(ground.lightnessF());
            line[x]        = lightness > 0.99f
                                 ? ground.rgb()
                                 : QColor::fromHslF(hue, saturation, low + (1 - lightness) * (0.95f - low)).rgb();
        }
    }
    return picture;
}

QString shortTitleOf(const Method& method)
{
    return method.short_title.empty() ? toQString(method.title).section(QStringLiteral(" ("), 0, 0)
                                      : toQString(method.short_title);
}

/// What the filter by data calls the data of a preset.
QString dataOf(const Study& study)
{
    if (study.data.source == DataSource::images)
        return toQString(source_of(study.data).name(study.data));
    if (is_images(study.data.source))
        return PresetCards::tr("Drawn signs");
    return stated_task(study.data) == Task::regression ? PresetCards::tr("Curve") : PresetCards::tr("Plane");
}

QString titleOf(RunTime time)
{
    switch (time) {
    case RunTime::seconds: return PresetCards::tr("Seconds");
    case RunTime::minutes: return PresetCards::tr("Minutes");
    case RunTime::hours: return PresetCards::tr("Hours");
    }
    return {};
}

/// The papers that the note of a preset names, or whose results are made with it, by their short titles.
QStringList papersOf(const Preset& preset, const Gallery& papers)
{
    QStringList found;
    const QString note = toQString(preset.study.note);
    for (const auto& paper : papers.papers) {
        const QString title = toQString(paper.short_title);
        const bool made     = std::ranges::any_of(papers.entries, [&](const GalleryEntry& entry) {
            const auto* by = std::get_if<MadeByPreset>(&entry.how);
            return entry.paper == paper.id && by && by->id == preset.id;
        });
        // "Steinbrener, Posch and Pilz 2020" is "Steinbrener et al. 2020" in a note.
        const QString year   = title.section(QLatin1Char(' '), -1);
        const bool named     = note.contains(title.section(QStringLiteral(" 20"), 0, 0), Qt::CaseInsensitive);
        const QString author = title.section(QLatin1Char(','), 0, 0).section(QLatin1Char(' '), 0, 0);
        const bool listed    = title.contains(QLatin1Char(',')) && note.contains(author + " et al. " + year);
        if (made || named || listed)
            found += title;
    }
    return found;
}

const Gallery& papersOrNone()
{
    static const Gallery papers = [] {
        try {
            return gallery();
        } catch (const Error&) {   // one's own with a mistake, which the page of papers reports
            return Gallery{};
        }
    }();
    return papers;
}

QComboBox* filterBox(const char* name, const QString& all, const QString& accessible, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->addItem(all, QString());
    describeControl(box, QLatin1String(name), accessible, PresetCards::tr("Show only some of the presets"));
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

void addChoices(QComboBox& box, const QStringList& choices)
{
    for (const auto& choice : choices)
        if (box.findData(choice) < 0)
            box.addItem(choice, choice);
}

}   // namespace

PresetCards::PresetCards(const SavedRuns& runs, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cards(new QStandardItemModel(this)), m_filters(new QWidget(this)),
      m_words(new QLineEdit(this)), m_data(filterBox("presetData", tr("All data"), tr("Data of the presets"), this)),
      m_method(filterBox("presetMethod", tr("All methods"), tr("Methods of the presets"), this)),
      m_time(filterBox("presetTime", tr("Any time"), tr("Time of the presets"), this)),
      m_paper(filterBox("presetPaper", tr("With or without paper"), tr("Paper of the presets"), this)),
      m_list(new QListView(this)), m_note(new QLabel(this)), m_found(new QLabel(this))
{
    m_words->setPlaceholderText(tr("Search: moons, dropout, curve, MNIST …"));
    m_words->setClearButtonEnabled(true);
    describeControl(m_words, QStringLiteral("presetWords"), tr("Search among the presets"),
                    tr("Search names, groups, methods and notes. Use Up and Down to move in the list and Enter to load "
                       "the preset"));
    m_words->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("presetList"));
    m_list->setAccessibleName(tr("Presets, in groups"));
    m_list->setModel(m_cards);
    m_list->setItemDelegate(new PresetCardDelegate(m_list));
    m_list->setViewMode(QListView::IconMode);
    m_list->setMovement(QListView::Static);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setDragEnabled(false);
    m_list->setSpacing(0);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->installEventFilter(this);
    m_note->setObjectName(QStringLiteral("presetNote"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_note->setMinimumHeight(
        3 * fontMetrics().lineSpacing());   // so that the list does not jump while you move through it
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_found->setObjectName(QStringLiteral("presetsFound"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    addFilters();
    column->addWidget(m_filters);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
    fill();
    labelBoxes(*this);
    connect(m_words, &QLineEdit::textChanged, this, &PresetCards::filter);
    for (auto* box : {m_data, m_method, m_time, m_paper})
        connect(box, &QComboBox::currentIndexChanged, this, &PresetCards::filter);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { showNote(current.row()); });
    connect(m_list, &QListView::entered, this, [this](const QModelIndex& index) { showNote(index.row()); });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
}

void PresetCards::addFilters()
{
    auto* row = new FlowLayout(m_filters);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_words->setMinimumWidth(withText(240));
    for (auto* control : std::initializer_list<QWidget*>{m_words, m_data, m_method, m_time, m_paper, m_found})
        row->addWidget(control);
}

void PresetCards::fill()
{
    const auto& papers = papersOrNone();
    for (const auto kind : preset_groups) {
        const QString title = toQString(title_of(kind)), hint = toQString(hint_of(kind));
        addHeading(title, hint);
        for (const auto& preset : presets()) {
            if (group_of(preset.study) != kind)
                continue;
            const auto& method = method_of(preset.study);
            auto* card = addCard(toQString(preset.id), toQString(preset.study.name), toQString(preset.study.note));
            const QString data = dataOf(preset.study), group = toQString(title_of(method.group));
            const QStringList named = papersOf(preset, papers);
            card->setData(shortTitleOf(method), method_role);
            card->setData(data, data_filter);
            card->setData(group, method_filter);
            card->setData(named, paper_filter);
            card->setData(QStringList{card->data(words_role).toString(), title, hint, toQString(method.title), group,
                                      named.join(QLatin1Char('\n'))}
                              .join(QLatin1Char('\n')),
                          words_role);
            addChoices(*m_data, {data});
        }
    }
    addHeading(tr("Compare with reference"),
               tr("Every method on one small problem, compared with the reference posterior (NUTS)."));
    for (const auto& one : comparisons()) {
        auto* card = addCard(comparisonMark + toQString(one.id), toQString(one.title), toQString(one.help));
        card->setData(tr("All methods"), method_role);
        card->setData(card->data(words_role).toString() + QLatin1Char('\n') + tr("Compare with reference"), words_role);
    }
    for (const auto group : method_groups)
        addChoices(*m_method, {toQString(title_of(group))});
    for (const auto time : {RunTime::seconds, RunTime::minutes, RunTime::hours})
        addChoices(*m_time, {titleOf(time)});
    for (const auto& paper : papers.papers)
        addChoices(*m_paper, {toQString(paper.short_title)});
}

void PresetCards::addHeading(const QString& title, const QString& hint)
{
    auto* heading = new QStandardItem(title);
    heading->setData(true, heading_role);
    heading->setData(hint, about_role);
    heading->setData(hint, Qt::AccessibleDescriptionRole);
    heading->setToolTip(hint);
    heading->setFlags(Qt::NoItemFlags);
    m_cards->appendRow(heading);
}

QStandardItem* PresetCards::addCard(const QString& id, const QString& title, const QString& about)
{
    auto* card = new QStandardItem(title);
    card->setData(id, id_role);
    card->setData(about, about_role);
    card->setData(QStringList{title, id, about}.join(QLatin1Char('\n')), words_role);
    card->setData(about, Qt::AccessibleDescriptionRole);
    card->setToolTip(about);
    card->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    m_cards->appendRow(card);
    return card;
}

/// From saved runs of the same network and method, else an estimate from the settings.
void PresetCards::showTimes()
{
    for (int row = 0; row < m_cards->rowCount(); ++row) {
        auto* card          = m_cards->item(row);
        const QString id    = card->data(id_role).toString();
        const bool isPreset = !id.isEmpty() && !id.startsWith(comparisonMark);
        QStringList parts{card->text(), card->data(method_role).toString()};
        if (isPreset) {
            const Study& study = preset(id.toStdString());
            const auto known   = expectedTime(study, m_runs);
            const QString kind = titleOf(run_time_of(known ? *known : estimated_seconds(study)));
            card->setData(kind, time_filter);
            card->setData(known ? expectedTimeText(*known) : kind.toLower(), time_role);
            parts += known ? expectedTimeText(*known) : tr("%1, an estimate").arg(kind.toLower());
            card->setToolTip(tr("%1\nTime: %2").arg(card->data(about_role).toString(), parts.last()));
        }
        parts.removeAll(QString());
        if (!id.isEmpty())
            card->setData(parts.join(QStringLiteral(", ")), Qt::AccessibleTextRole);
    }
}

void PresetCards::start(bool picturesOnly)
{
    m_picturesOnly = picturesOnly;
    for (auto* part : std::initializer_list<QWidget*>{m_filters, m_note})
        part->setVisible(!picturesOnly);
    showTimes();
    m_words->clear();
    for (auto* box : {m_data, m_method, m_time, m_paper})
        box->setCurrentIndex(0);
    filter();
    if (!std::exchange(m_drawn, true))
        draw();
}

void PresetCards::presentPictures()
{
    start(true);
    m_list->setCurrentIndex({});
    m_list->scrollToTop();
}

void PresetCards::present(const QString& id)
{
    start(false);
    for (int row = 0; row < m_cards->rowCount(); ++row)
        if (!id.isEmpty() && m_cards->item(row)->data(id_role).toString() == id)
            select(row);
    m_words->setFocus(Qt::OtherFocusReason);
}

/// Draws the previews of data once per kind of data, in the order of the list.
void PresetCards::draw()
{
    std::vector<std::pair<DataSpec, QStringList>> wanted;
    std::vector<std::pair<QString, bool>> trained;   // and whether it is a curve on white
    for (const auto kind : preset_groups)
        for (const auto& preset : presets()) {
            if (group_of(preset.study) != kind)
                continue;
            const QString id = toQString(preset.id);
            if (hasTrainedPicture(id)) {
                trained.emplace_back(id, stated_task(preset.study.data) == Task::regression);
                continue;
            }
            DataSpec data               = preset.study.data;   // previews do not show the number of rows
            data.toy.n                  = 0;
            data.images.training_images = 0;
            data.images.test_images     = 0;
            const auto isSame           = [&](const auto& one) { return one.first == data; };
            const auto same             = std::find_if(wanted.begin(), wanted.end(), isSame);
            if (same == wanted.end())
                wanted.push_back({data, {id}});
            else
                same->second += id;
        }
    const auto palette = ChartPalette::forScreen(this->palette());
    m_painter.submit([this, wanted = std::move(wanted), trained, palette, side = withText(previewSide),
                      ratio = devicePixelRatioF()](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const auto show = [this, &progress](const QStringList& ids, const QImage& picture) {
            progress.show([this, ids, picture] {
                for (int row = 0; row < m_cards->rowCount(); ++row)
                    if (ids.contains(m_cards->item(row)->data(id_role).toString()))
                        m_cards->item(row)->setData(picture, picture_role);
            });
        };
        for (const auto& [id, curve] : trained) {
            const QImage picture(trainedPicture(id));
            show({id}, curve ? onGround(picture, palette.background) : picture);
        }
        for (const auto& [data, ids] : wanted) {
            if (stop.stop_requested())
                return {};
            DataSpec some = data;
            some.toy.n    = ToyOptions{}.n;
            show(ids, presetPicture(some, palette, side, ratio));
        }
        for (const auto& one : comparisons()) {
            if (stop.stop_requested())
                return {};
            show({comparisonMark + toQString(one.id)}, presetPicture(one.studies().front().data, palette, side, ratio));
        }
        return {};
    });
}

bool PresetCards::fits(const QStandardItem& card) const
{
    const auto same = [&](const QComboBox* box, int role) {
        const QString wanted = box->currentData().toString();
        return wanted.isEmpty() || card.data(role).toStringList().contains(wanted)
               || card.data(role).toString() == wanted;
    };
    if (m_picturesOnly && !hasTrainedPicture(card.data(id_role).toString()))
        return false;
    return same(m_data, data_filter) && same(m_method, method_filter) && same(m_time, time_filter)
           && same(m_paper, paper_filter) && hasAllWords(card.data(words_role).toString(), m_words->text());
}

void PresetCards::filter()
{
    int found = 0, first = -1, heading = -1;
    for (int row = 0; row < m_cards->rowCount(); ++row) {
        const auto* item = m_cards->item(row);
        if (item->data(heading_role).toBool()) {
            heading = row;
            m_list->setRowHidden(row, true);
            continue;
        }
        const bool shown = fits(*item);
        m_list->setRowHidden(row, !shown);
        if (!shown)
            continue;
        m_list->setRowHidden(heading, false);
        first = first < 0 ? row : first;
        ++found;
    }
    m_found->setText(found == 0   ? tr("No matches. Try fewer or different words.")
                     : found == 1 ? tr("One preset")
                                  : tr("%1 presets").arg(found));
    const int current = m_list->currentIndex().row();
    select(current >= 0 && !m_list->isRowHidden(current) ? current : first);
}

/// @param row  -1: none
void PresetCards::select(int row)
{
    const auto index = m_cards->index(row, 0);
    m_list->setCurrentIndex(index);
    if (index.isValid())
        m_list->scrollTo(index);
    showNote(row);
}

/// To the next card, or with a negative step to the one before.
void PresetCards::move(int step)
{
    for (int row = m_list->currentIndex().row() + step; row >= 0 && row < m_cards->rowCount(); row += step)
        if (!m_list->isRowHidden(row) && !m_cards->item(row)->data(heading_role).toBool())
            return select(row);
}

void PresetCards::showNote(int row)
{
    const auto* card = row >= 0 ? m_cards->item(row) : nullptr;
    if (!card || !card->data(heading_role).toBool())
        m_note->setText(card ? card->data(about_role).toString() : QString());
}

void PresetCards::choose(int row)
{
    const auto* card = row >= 0 && !m_list->isRowHidden(row) ? m_cards->item(row) : nullptr;
    if (card && !card->data(heading_role).toBool())
        Q_EMIT chosen(card->data(id_role).toString());
}

/// Enter loads the selected preset; in the search, other keys for lists move the selection.
bool PresetCards::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress || (watched != m_words && watched != m_list))
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        choose(m_list->currentIndex().row());
        return true;
    }
    if (watched != m_words)
        return QWidget::eventFilter(watched, event);
    switch (key) {
    case Qt::Key_Down: move(1); return true;
    case Qt::Key_Up: move(-1); return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: return QCoreApplication::sendEvent(m_list, event);
    default: return QWidget::eventFilter(watched, event);
    }
}

void PresetCards::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_drawn)
        draw();
}
