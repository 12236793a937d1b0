// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/preset_chooser.h"

#include "images/image_list.h"
#include "parts/form_controls.h"
#include "runs/comparison.h"
#include "runs/experiment.h"
#include "study/method.h"
#include "study/presets.h"
#include "study/source.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

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

constexpr int pictureSide = 48;   ///< of a picture
enum Role { idRole = Qt::UserRole, aboutRole, wordsRole };

}   // namespace

PresetChooser::PresetChooser(QWidget* parent)
    : QDialog(parent), m_words(new QLineEdit(this)), m_tree(new QTreeWidget(this)), m_note(new QLabel(this)),
      m_found(new QLabel(this)), m_use(nullptr)
{
    setObjectName(QStringLiteral("presetChooser"));
    setWindowTitle(tr("Choose a preset"));
    resize(640, 560);
    m_words->setObjectName(QStringLiteral("presetWords"));
    m_words->setPlaceholderText(tr("Search: moons, dropout, curve, MNIST …"));
    m_words->setClearButtonEnabled(true);
    m_words->setAccessibleName(tr("Search among the presets"));
    m_words->setToolTip(
        tr("Search names, groups, methods and notes. Use Up and Down to move in the list and Enter to load the "
           "preset"));
    m_words->installEventFilter(this);

    m_tree->setObjectName(QStringLiteral("presetList"));
    m_tree->setAccessibleName(tr("Presets, in groups"));
    m_tree->setHeaderHidden(true);
    m_tree->setIconSize(QSize(pictureSide, pictureSide));
    m_tree->setUniformRowHeights(false);
    m_tree->setRootIsDecorated(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->header()->setStretchLastSection(true);

    m_note->setObjectName(QStringLiteral("presetNote"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_note->setMinimumHeight(5 * fontMetrics().lineSpacing());   // the list does not jump as one goes through it
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_found->setObjectName(QStringLiteral("presetsFound"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_use         = buttons->addButton(tr("Use preset"), QDialogButtonBox::AcceptRole);
    m_use->setObjectName(QStringLiteral("usePreset"));
    m_use->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_words);
    column->addWidget(m_found);
    column->addWidget(m_tree, 1);
    column->addWidget(m_note);
    column->addWidget(buttons);
    fill();

    connect(m_words, &QLineEdit::textChanged, this, &PresetChooser::filter);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &PresetChooser::showNote);
    connect(m_tree, &QTreeWidget::itemActivated, this, &PresetChooser::choose);
    connect(buttons, &QDialogButtonBox::accepted, this, &PresetChooser::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    filter();
}

void PresetChooser::fill()
{
    const auto addGroup = [this](const QString& title, const QString& hint) {
        auto* group = new QTreeWidgetItem(m_tree, {title});
        QFont bold  = font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setData(0, aboutRole, hint);
        group->setData(0, Qt::AccessibleDescriptionRole, hint);
        group->setToolTip(0, hint);
        group->setFlags(Qt::ItemIsEnabled);
        group->setExpanded(true);
        return group;
    };
    for (const auto kind : preset_groups) {
        const QString title = toQString(title_of(kind));
        auto* group         = addGroup(title, toQString(hint_of(kind)));
        for (const auto& preset : presets())
            if (group_of(preset.study) == kind)
                addLine(group, toQString(preset.id), toQString(preset.study.name), toQString(preset.study.note),
                        title + QLatin1Char(' ') + group->data(0, aboutRole).toString() + QLatin1Char(' ')
                            + toQString(method_of(preset.study).title));
    }
    auto* group = addGroup(tr("Compare with reference"),
                           tr("Every method on one small problem, compared with the reference posterior (NUTS)."));
    for (const auto& one : comparisons())
        addLine(group, "compare/" + toQString(one.id), toQString(one.title), toQString(one.help), group->text(0));
}

void PresetChooser::addLine(QTreeWidgetItem* group, const QString& id, const QString& title, const QString& about,
                            const QString& words)
{
    auto* line = new QTreeWidgetItem(group, {title});
    line->setData(0, idRole, id);
    line->setData(0, aboutRole, about);
    line->setData(0, wordsRole, QStringList{title, id, about, words}.join(QLatin1Char('\n')));
    line->setData(0, Qt::AccessibleDescriptionRole, about);
    line->setToolTip(0, about);
    line->setSizeHint(0, QSize(0, pictureSide + 4));   // pictures that come move nothing
}

void PresetChooser::showWith(const QString& id)
{
    m_words->clear();
    for (QTreeWidgetItemIterator at(m_tree); *at; ++at)
        if (!id.isEmpty() && (*at)->data(0, idRole).toString() == id) {
            m_tree->setCurrentItem(*at);
            m_tree->scrollToItem(*at, QAbstractItemView::PositionAtCenter);
        }
    show();
    raise();
    activateWindow();
    m_words->setFocus();
    if (!std::exchange(m_drawn, true))
        draw();
}

/// Draws one preview per kind of data, in the order of the list.
void PresetChooser::draw()
{
    std::vector<std::pair<DataSpec, QStringList>> wanted;
    for (const auto kind : preset_groups)
        for (const auto& preset : presets()) {
            if (group_of(preset.study) != kind)
                continue;
            DataSpec data               = preset.study.data;   // previews do not show the number of rows
            data.toy.n                  = 0;
            data.images.training_images = 0;
            data.images.test_images     = 0;

            const auto isSame = [&](const auto& one) { return one.first == data; };
            const auto same   = std::find_if(wanted.begin(), wanted.end(), isSame);
            if (same == wanted.end())
                wanted.push_back({data, {toQString(preset.id)}});
            else
                same->second += toQString(preset.id);
        }
    const auto palette = ChartPalette::forScreen(this->palette());
    m_painter.submit([this, wanted = std::move(wanted), palette,
                      ratio = devicePixelRatioF()](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        for (const auto& [data, ids] : wanted) {
            if (stop.stop_requested())
                return {};
            DataSpec some = data;
            some.toy.n    = ToyOptions{}.n;
            progress.show([this, shown = ids, picture = presetPicture(some, palette, pictureSide, ratio)] {
                const QIcon icon(QPixmap::fromImage(picture));
                for (QTreeWidgetItemIterator at(m_tree); *at; ++at)
                    if (shown.contains((*at)->data(0, idRole).toString()))
                        (*at)->setIcon(0, icon);
            });
        }
        return {};
    });
}

void PresetChooser::filter()
{
    int found              = 0;
    QTreeWidgetItem* first = nullptr;
    for (int g = 0; g < m_tree->topLevelItemCount(); ++g) {
        auto* group = m_tree->topLevelItem(g);
        int here    = 0;
        for (int i = 0; i < group->childCount(); ++i) {
            auto* line     = group->child(i);
            const bool has = hasAllWords(line->data(0, wordsRole).toString(), m_words->text());
            line->setHidden(!has);
            if (has && !first)
                first = line;
            here += has ? 1 : 0;
        }
        group->setHidden(here == 0);
        found += here;
    }
    m_found->setText(found == 0   ? tr("No matches. Try fewer or different words.")
                     : found == 1 ? tr("One preset")
                                  : tr("%1 presets").arg(found));
    const auto* current = m_tree->currentItem();
    if (!current || current->isHidden() || !current->parent())
        m_tree->setCurrentItem(first);
    if (m_tree->currentItem())
        m_tree->scrollToItem(m_tree->currentItem());
    showNote();
}

void PresetChooser::showNote()
{
    const auto* line = m_tree->currentItem();
    const bool any   = line && !line->isHidden() && !line->data(0, idRole).toString().isEmpty();
    m_note->setText(line && !line->isHidden() ? line->data(0, aboutRole).toString() : QString());
    m_use->setEnabled(any);
}

void PresetChooser::choose()
{
    const auto* line = m_tree->currentItem();
    if (!line || line->isHidden() || line->data(0, idRole).toString().isEmpty())
        return;
    const QString id = line->data(0, idRole).toString();
    accept();
    Q_EMIT chosen(id);
}

/// Navigation keys in the search field move the selection in the list.
bool PresetChooser::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_words && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown)
            return QCoreApplication::sendEvent(m_tree, event);
    }
    return QDialog::eventFilter(watched, event);
}

void PresetChooser::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_drawn)
        draw();
}

namespace {

const QString comparisonPrefix = QStringLiteral("compare/");   ///< of the lines that are no Study

void appendHeading(QStandardItemModel& lines, const QString& words, QFont font)
{
    auto* heading = new QStandardItem(words);
    font.setBold(true);
    heading->setFont(font);
    heading->setFlags(Qt::NoItemFlags);
    lines.appendRow(heading);
}

}   // namespace

PresetRow::PresetRow(QWidget* parent) : QWidget(parent), m_box(new QComboBox(this))
{
    m_box->setObjectName(QStringLiteral("presets"));
    m_box->setAccessibleName(tr("Preset"));
    m_box->setToolTip(
        tr("Select an annotated study that trains in one click. Ctrl+N shows all presets with previews and search"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(7);
    m_box->setMinimumWidth(110);   // otherwise it is as wide as its text without a preset
    fill();
    connect(m_box, &QComboBox::activated, this, [this] { choose(m_box->currentData().toString()); });
    auto* label = new QLabel(tr("&Preset"), this);
    label->setBuddy(m_box);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(m_box, 1);
}

/// Each group has a heading that cannot be selected.
void PresetRow::fill()
{
    auto* lines = new QStandardItemModel(m_box);
    for (const auto group : preset_groups) {
        appendHeading(*lines, toQString(title_of(group)), m_box->font());
        for (const auto& preset : presets())
            if (group_of(preset.study) == group) {
                auto* line = new QStandardItem(toQString(preset.study.name));
                line->setData(toQString(preset.id), Qt::UserRole);
                line->setToolTip(toQString(preset.study.note));
                lines->appendRow(line);
            }
    }
    appendHeading(*lines, tr("Compare with reference"), m_box->font());
    for (const auto& one : comparisons()) {
        auto* line = new QStandardItem(toQString(one.title));
        line->setData(comparisonPrefix + toQString(one.id), Qt::UserRole);
        line->setToolTip(toQString(one.help));
        lines->appendRow(line);
    }
    m_box->setModel(lines);
}

void PresetRow::choose(const QString& id)
{
    if (id.startsWith(comparisonPrefix))
        Q_EMIT comparisonChosen(id.mid(comparisonPrefix.size()));
    else if (!id.isEmpty())   // of a heading
        Q_EMIT presetChosen(id);
}

void PresetRow::showStudy(const Study& study)
{
    const auto* same = preset_with(study);
    m_box->setPlaceholderText(is_named_as_preset(study) ? tr("%1 (changed)").arg(toQString(study.name))
                                                        : tr("(own study)"));
    m_box->setCurrentIndex(same ? m_box->findData(toQString(same->id)) : -1);
}

void PresetRow::browse()
{
    auto* chooser = findChild<PresetChooser*>(QString(), Qt::FindDirectChildrenOnly);
    if (!chooser) {
        chooser = new PresetChooser(this);
        connect(chooser, &PresetChooser::chosen, this, &PresetRow::choose);
        connect(chooser, &QDialog::finished, m_box, [this] { m_box->setFocus(); });
    }
    chooser->showWith(m_box->currentData().toString());
}
