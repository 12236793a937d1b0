// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_grid.h"

#include "images/image_list.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "parts/remembered_sizes.h"
#include "session/selection.h"
#include "session/settings.h"
#include "widgets/table_view.h"
#include "work/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

QString gridHelp()
{
    return ImageGrid::tr(
        "<b>Images</b><p>Every image with its true → predicted class, the confidence max p̄ and a bar of the "
        "predictive entropy H(p̄) as a fraction of ln K: the blue part is epistemic (the sampled networks "
        "disagree), the grey rest aleatoric (each of them is uncertain). p̄ is the mean probability over the "
        "weight samples.</p><p><b>✗</b> and a thick frame: wrong. <b>?</b> and a dashed frame: uncertain. <b>!</b> "
        "certain but wrong. An image is certain by criterion (i) if the credible interval of its predicted class "
        "does not overlap any other class's interval, by (ii) if its mean probability is at least the level α of "
        "the Study. Source: Posch and Pilz 2021, section IV-A.</p><p><b>OOD images</b> have classes unknown to the "
        "network: their own class is shown before the arrow, none is right or wrong, and <b>!</b> marks those "
        "about which the network is certain.</p><p>Click or use the arrow keys to select the image for boxplots "
        "and intervals. Type a class to jump to its next image. Use Ctrl and the wheel to change the size. Click a "
        "cell of the confusion matrix to see its images here. During training fewer samples are used; the full "
        "number follows when training pauses or ends.</p>");
}

}   // namespace

ImageGrid::ImageGrid(QWidget* parent)
    : QWidget(parent), m_model(new ImageListModel(this)), m_list(new ImageList(*m_model, this)),
      m_table(new TableView(this)), m_waiting(new WaitingPage(QStringLiteral("imageMessage"), this)),
      m_pages(new QStackedWidget(this)), m_tools(buildTools()), m_bar(new ImageGridBar(this)),
      m_status(new ElidedLabel(this))
{
    setObjectName(QStringLiteral("imageGrid"));
    m_list->setObjectName(QStringLiteral("imageList"));
    m_list->setAccessibleName(tr("Images"));
    m_list->viewport()->installEventFilter(this);
    connect(m_list->verticalScrollBar(), &QScrollBar::valueChanged, this, &ImageGrid::emitVisibleRows);
    connect(m_list->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ImageGrid::emitVisibleRows);
    m_list->installEventFilter(this);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (m_quiet || !now.isValid())
            return;
        emitChosen(now);
    });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& at) {
        if (chosen()
            != m_model->imageAt(
                at.row()))   // the current image can be clicked again after another input was selected elsewhere
            emitChosen(at);
    });
    m_table->setAccessibleName(tr("Data of the displayed images"));
    rememberColumns(m_table->widths(), QStringLiteral("images"));
    for (QWidget* page : std::initializer_list<QWidget*>{m_list, m_waiting, m_table})
        m_pages->addWidget(page);
    m_status->setObjectName(QStringLiteral("imageStatus"));
    m_status->setContentsMargins(6, 0, 6, 1);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_bar);
    all->addWidget(m_pages, 1);
    all->addWidget(m_status);
    setFocusProxy(m_list);
    connect(m_bar, &ImageGridBar::changed, this, [this](bool otherOrder) {
        refresh();
        if (otherOrder)
            m_list->scrollToTop();
    });
    connect(m_bar, &ImageGridBar::partChosen, this, &ImageGrid::setPart);
    connect(m_bar, &ImageGridBar::sizeChosen, this, &ImageGrid::setSide);
}

QListView* ImageGrid::list() const { return m_list; }

const ImageGridChoice& ImageGrid::choice() const { return m_bar->choice(); }

void ImageGrid::emitChosen(const QModelIndex& at)
{
    m_chosen     = m_model->imageAt(at.row());
    m_chosenPart = m_part;
    Q_EMIT imageChosen(m_part, static_cast<int>(*m_chosen));
}

QWidget* ImageGrid::buildTools()
{
    auto* tools   = new QWidget(this);
    m_tableButton = new QToolButton(tools);
    describeControl(m_tableButton, QStringLiteral("data/image_grid"), tr("Show data"),
                    tr("Show data: the numbers of all displayed images"));
    m_tableButton->setCheckable(true);
    m_tableButton->setAutoRaise(true);
    m_tableButton->setIcon(icon(QStringLiteral("table")));
    connect(m_tableButton, &QToolButton::toggled, this, &ImageGrid::showPage);
    auto* help = new HelpMark(
        tr("Images"), [] { return gridHelp(); }, {tools, this}, tools);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(2);
    for (QWidget* each : std::initializer_list<QWidget*>{m_tableButton, help})
        row->addWidget(each);
    return tools;
}

void ImageGrid::setExperiment(const std::shared_ptr<const Experiment>& experiment)
{
    if (!m_reading.isEmpty())
        setReading({});
    const bool otherData = m_model->empty() || m_model->experiment().data != experiment->data;
    if (!otherData) {
        const bool otherRun = m_model->experiment().start != experiment->start;
        m_model->setExperiment(experiment);
        if (otherRun)
            m_model->setPredictions({});   // of a previous network
        otherRun ? refresh() : describe();
        return;
    }
    m_ood.reset();
    if (m_part == ImagePart::ood)
        m_part = ImagePart::test;
    if (experiment->data->test.n_rows == 0)
        m_part = ImagePart::training;
    else if (experiment->data->training.n_rows == 0)
        m_part = ImagePart::test;
    m_chosen.reset();
    const bool otherShape = m_sides.empty() || m_model->empty()
                            || m_model->experiment().data->image != experiment->data->image;
    m_quiet = true;
    m_model->setImages(experiment, m_part);
    m_quiet = false;
    m_bar->setData(*experiment, m_part);
    if (otherShape) {
        m_sides            = ImageList::sidesFor(*experiment->data->image);
        const int wanted   = read(settings::imageSide);
        const auto nearest = std::min_element(m_sides.begin(), m_sides.end(), [wanted](int a, int b) {
            return std::abs(a - wanted) < std::abs(b - wanted);
        });
        m_bar->setSizes(static_cast<int>(m_sides.size()), static_cast<int>(nearest - m_sides.begin()));
        m_list->setFirstSide(*nearest);
    }
    refresh();
    m_list->scrollToTop();
}

void ImageGrid::setPredictions(const std::shared_ptr<const PredictedImages>& images)
{
    if (m_model->empty() || images->part != m_part || images->ood != ood()
        || images->run.experiment->data != m_model->experiment().data)
        return;
    m_model->setPredictions(images);
    refresh();
}

void ImageGrid::setPart(ImagePart part)
{
    if (part == m_part || m_model->empty())
        return;
    if (part == ImagePart::ood && !m_ood) {
        setReading(tr("Reading the OOD images …"));
        Q_EMIT oodWanted();
        return;
    }
    m_part  = part;
    m_quiet = true;
    m_bar->setListed({}, {});   // images of another part have the same numbers
    m_model->setImages(m_model->sharedExperiment(), part, ood());
    m_bar->setPart(part, m_model->ownClassNames());   // a filter that is hidden can pass the focus to the list
    m_quiet = false;
    refresh();
    m_list->scrollToTop();
    Q_EMIT partChanged(part);
}

void ImageGrid::setOod(std::shared_ptr<const OodImages> ood)
{
    if (m_chosenPart == ImagePart::ood)
        m_chosen.reset();
    if (m_part == ImagePart::ood)   // different OOD images than before
        setPart(scoredImages(m_model->experiment()));
    m_ood = std::move(ood);
    if (m_model->empty())
        return;
    setReading({});
    m_ood ? setPart(ImagePart::ood) : m_bar->setPart(m_part, {});
}

void ImageGrid::setFilter(ImageFilter filter)
{
    m_bar->setFilter(filter);
    refresh();
}

void ImageGrid::filterClasses(std::optional<int> trueClass, std::optional<int> predictedClass)
{
    m_bar->setClasses(trueClass, predictedClass);
    refresh();
    m_list->scrollToTop();
}

void ImageGrid::list(const RowsOfBar& bar)
{
    if (m_model->empty())
        return;
    if (!bar.rows.empty())
        setPart(scoredImages(m_model->experiment()));
    std::vector<std::uint32_t> images;
    for (const auto& row : bar.rows)
        images.push_back(row.row);
    std::ranges::sort(images);
    m_bar->setListed(std::move(images), toQString(bar.name));
    refresh();
    m_list->scrollToTop();
}

void ImageGrid::setReading(const QString& sentence)
{
    m_reading = sentence;
    if (!sentence.isEmpty())
        m_waiting->wait(sentence, {});
    else if (!m_model->empty())
        describe();
    m_bar->setEnabled(sentence.isEmpty());
    m_status->setVisible(sentence.isEmpty());
    showPage();
}

/// Recounts and redraws. Selection and scroll position are kept.
void ImageGrid::refresh()
{
    if (m_model->empty())
        return;
    const int at = m_list->verticalScrollBar()->value();
    m_quiet      = true;
    if (m_model->refresh(choice())) {
        m_list->doItemsLayout();
        markChosen(false);
        m_list->verticalScrollBar()->setValue(at);
    } else {
        m_list->viewport()->update();
    }
    m_quiet = false;
    emitVisibleRows();
    describe();
    showPage();
}

void ImageGrid::markChosen(bool scroll)
{
    const int place         = chosen() ? m_model->placeOf(*chosen()) : -1;
    const QModelIndex index = place < 0 ? QModelIndex() : m_model->index(place);
    const bool quiet        = std::exchange(m_quiet, true);
    m_list->setAutoScroll(scroll);
    m_list->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    m_list->setAutoScroll(true);
    if (scroll && index.isValid())
        m_list->scrollTo(index);
    m_quiet = quiet;
}

void ImageGrid::emitVisibleRows()
{
    std::vector<std::uint32_t> images;
    const auto [first, end] = m_model->empty() ? std::pair{0, 0} : m_list->inSight();
    for (int row = first; row < end; ++row)
        images.push_back(m_model->imageAt(row));
    if (m_chosen && m_chosenPart == m_part)
        images.push_back(*m_chosen);
    if (images == m_sight)
        return;
    m_sight = std::move(images);
    Q_EMIT sightChanged(m_sight);
}

void ImageGrid::choose(ImagePart part, std::uint32_t image)
{
    if (m_chosen == image && m_chosenPart == part)
        return;
    m_chosen     = image;
    m_chosenPart = part;
    markChosen(part == m_part);
}

void ImageGrid::chooseNone()
{
    m_chosen.reset();
    markChosen(false);
}

/// Updates the counts on the buttons, the chip, and the line below.
void ImageGrid::describe()
{
    const auto& rows = m_model->rows();
    const auto* p    = m_model->predicted();
    m_bar->describe(rows, p && p->whole());   // counts are of one step or omitted
    if (!m_reading.isEmpty())
        return;
    if (p || choice() == ImageGridChoice{})
        m_waiting->notify(toQString(empty_grid_sentence(choice(), m_model->experiment().study.prediction.level,
                                                        m_model->classNames(), m_model->ownClassNames())));
    else
        m_waiting->wait(tr("Predicting the images …"), {});
    const QString part = m_bar->partName();
    const QString what = part.startsWith(QLatin1String("OOD")) ? part : part.left(1).toLower() + part.mid(1);
    QString whole;
    QString line = tr("%1 of %2 %3").arg(toQString(rows.rows.size()), toQString(rows.n), what);
    if (p) {   // most important first, since a narrow window cuts off the end
        const double share = p->current == 0 ? 0
                                             : 100.0 * static_cast<double>(p->wrong) / static_cast<double>(p->current);
        const bool known   = m_model->hasTruth() && !m_model->images().data->labels.empty();
        if (!known)
            line += (m_model->hasTruth() ? tr(" · no labels") : QString())
                    + (p->current == p->rows.size() ? tr(" · %1 certain").arg(toQString(rows.certain))
                                                    : tr(" · %1 certain of the %2 predicted so far")
                                                          .arg(toQString(rows.certain), toQString(p->current)));
        else if (p->current == p->rows.size())
            line += tr(" · %1 % wrong").arg(share, 0, 'f', 2);
        else if (p->current > 0)
            line += tr(" · %1 % wrong of the %2 predicted so far").arg(share, 0, 'f', 2).arg(toQString(p->current));
        if (!m_model->experiment().outputs)
            line += tr(" · step %1").arg(toQString(p->run.snapshot->point.step));
        whole = line
                + tr(" · %2 · α = %1")
                      .arg(p->run.experiment->study.prediction.level)
                      .arg(p->draws == 1 ? tr("1 sample") : tr("%1 samples").arg(p->draws));
    } else {
        line += tr(" · predicting …");
    }
    m_status->setText(line);   // the rest does not fit next to the filters
    m_status->setToolTip(whole.isEmpty() ? line : whole);
    m_list->setAccessibleDescription(m_status->toolTip());
}

void ImageGrid::setSide(int step)
{
    if (step < 0 || step >= static_cast<int>(m_sides.size()))
        return;
    m_list->setSide(m_sides[static_cast<std::size_t>(step)]);
    write(settings::imageSide, m_list->side());
}

/// Shows list or table, or why there is neither.
void ImageGrid::showPage()
{
    if (m_model->empty() || !m_reading.isEmpty())
        return m_pages->setCurrentWidget(m_waiting);
    if (m_tableButton->isChecked())
        m_table->setTable(image_grid_table(m_model->rows().rows, m_model->predictions(), m_model->labels(),
                                           m_model->classNames(), m_model->ownClassNames()));
    m_pages->setCurrentWidget(m_tableButton->isChecked() ? static_cast<QWidget*>(m_table)
                              : m_model->rowCount() > 0  ? static_cast<QWidget*>(m_list)
                                                         : m_waiting);
}

bool ImageGrid::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel && static_cast<QWheelEvent*>(event)->modifiers().testFlag(Qt::ControlModifier)) {
        const int turn = static_cast<QWheelEvent*>(event)->angleDelta().y();
        m_bar->sizeBy((turn > 0) - (turn < 0));
        return true;
    }
    if (event->type() == QEvent::KeyPress && watched == m_list) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Plus || key->key() == Qt::Key_Minus) {
            m_bar->sizeBy(key->key() == Qt::Key_Plus ? 1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

WaitingPage::WaitingPage(const QString& name, QWidget* parent)
    : QWidget(parent), m_sentence(new QLabel(this)), m_bar(new QProgressBar(this))
{
    m_sentence->setObjectName(name);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_bar->setObjectName(name + QStringLiteral("Progress"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(160);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->hide();
    auto* column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(m_sentence);
    column->addWidget(m_bar, 0, Qt::AlignHCenter);
    column->addStretch();
}

void WaitingPage::notify(const QString& sentence)
{
    m_sentence->setText(sentence);
    m_bar->hide();
}

void WaitingPage::wait(const QString& sentence, std::optional<double> share)
{
    m_sentence->setText(sentence);
    m_bar->setAccessibleName(sentence);
    m_bar->setRange(0, share ? 1000 : 0);
    m_bar->setValue(static_cast<int>(1000 * share.value_or(0)));
    m_bar->show();
}

QString WaitingPage::sentence() const { return m_sentence->text(); }
