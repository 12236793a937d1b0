// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_grid.h"

#include "images/image_delegate.h"
#include "parts/flow_layout.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "session/settings.h"

#include "widgets/table_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QLocale>
#include <QScrollBar>
#include <QSlider>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr int widerThanText = 16;   ///< pixels of a button beside its text

QString number(long value) { return QLocale(QLocale::English).toString(static_cast<qlonglong>(value)); }

/// Sides at which pictures of this size look well: whole multiples of small ones.
std::vector<int> sidesFor(ImageShape shape)
{
    const int own = std::max(shape.height, shape.width);
    std::vector<int> sides;
    if (own <= 72)
        for (int side = own; side <= 256; side += own) {
            if (side >= 24)
                sides.push_back(side);
        }
    else
        for (const int side : {32, 48, 64, 96, 128, 192, 256})
            sides.push_back(side);
    return sides;
}

/// Cells share the width evenly.
class EvenList : public QListView {
public:
    using QListView::QListView;
    void fit()
    {
        const auto* cells = static_cast<const ImageDelegate*>(itemDelegate());
        const QSize least = cells->cellSize(font());
        const int room    = viewport()->width() - 1;
        const int across  = std::max(1, room / least.width());
        setGridSize({std::max(least.width(), room / across), least.height()});
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QListView::resizeEvent(event);
        fit();
    }
};

QString gridHelp()
{
    return ImageGrid::tr(
        "<b>Images</b><p>Every image with its true → predicted class, the confidence max p̄ and a bar of the predictive entropy H(p̄) as a share of ln K: the blue part is "
        "epistemic (the drawn networks disagree), the grey rest aleatoric (each of them doubts). p̄ is the mean probability over the weight draws.</p>"
        "<p><b>✗</b> and a thick frame: wrong. <b>?</b> and a dashed frame: uncertain. <b>!</b> wrong, and certain all the same. An image is certain "
        "by criterion (i) if the credible interval of its predicted class meets no other class's interval, by (ii) if its mean probability is at least the level α "
        "of the Study. Source: Posch and Pilz 2021, section IV-A.</p>"
        "<p>A click or the arrow keys choose the image that boxplots and intervals follow. Type a class to jump to its next image. Ctrl and the wheel change the size. "
        "A cell of the confusion matrix shows its images here. While training runs, fewer draws are used; the full number follows when it pauses or ends.</p>");
}

}   // namespace

ImageGrid::ImageGrid(QWidget* parent)
    : QWidget(parent), m_model(new ImageListModel(this)), m_delegate(new ImageDelegate(*m_model, this)),
      m_list(new EvenList(this)), m_table(new TableView(this)), m_message(new QLabel(this)),
      m_pages(new QStackedWidget(this)), m_tools(buildTools()), m_status(new QLabel(this))
{
    setObjectName(QStringLiteral("imageGrid"));
    m_list->setObjectName(QStringLiteral("imageList"));
    m_list->setAccessibleName(tr("Images"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(m_delegate);
    m_list->setFlow(QListView::LeftToRight);
    m_list->setWrapping(true);
    m_list->setUniformItemSizes(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn);   // else its coming and going would change the number of columns
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->viewport()->installEventFilter(this);
    connect(m_list->verticalScrollBar(), &QScrollBar::valueChanged, this, &ImageGrid::tellSight);
    connect(m_list->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ImageGrid::tellSight);
    m_list->installEventFilter(this);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (m_quiet || !now.isValid())
            return;
        tellChosen(now);
    });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& at) {
        if (chosen()
            != m_model->imageAt(
                at.row()))   // the current one may be clicked again after another input was chosen elsewhere
            tellChosen(at);
    });
    m_message->setObjectName(QStringLiteral("imageMessage"));
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_table->setAccessibleName(tr("Data of the images on show"));
    for (QWidget* page : std::initializer_list<QWidget*>{m_list, m_message, m_table})
        m_pages->addWidget(page);
    m_status->setObjectName(QStringLiteral("imageStatus"));
    m_status->setContentsMargins(6, 0, 6, 1);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(buildFilters());
    all->addWidget(buildControls());
    all->addWidget(m_pages, 1);
    all->addWidget(m_status);
    setFocusProxy(m_list);
    m_tableButton->setIcon(icon(QStringLiteral("table")));
    m_chip->setIcon(icon(QStringLiteral("cancel")));
}

void ImageGrid::tellChosen(const QModelIndex& at)
{
    m_chosen     = m_model->imageAt(at.row());
    m_chosenPart = m_part;
    Q_EMIT imageChosen(m_part, static_cast<int>(*m_chosen));
}

QWidget* ImageGrid::buildFilters()
{
    auto* row    = new QWidget(this);
    auto* layout = new FlowLayout(row);
    layout->setContentsMargins(4, 3, 4, 1);
    auto* group = new QButtonGroup(this);
    for (const auto& [filter, name, tip] : std::initializer_list<std::tuple<ImageFilter, QString, QString>>{
             {ImageFilter::all, QStringLiteral("filterAll"), tr("All images of the chosen classes")},
             {ImageFilter::wrong, QStringLiteral("filterWrong"),
              tr("Images whose predicted class is not the true one")},
             {ImageFilter::uncertain, QStringLiteral("filterUncertain"),
              tr("Images that the network is not certain of, by the chosen criterion at the Study's level")},
             {ImageFilter::certain_but_wrong, QStringLiteral("filterCertainWrong"),
              tr("Wrong, and certain all the same: the failures to look at first")},
             {ImageFilter::right, QStringLiteral("filterRight"), tr("Images whose predicted class is the true one")}}) {
        auto* button = new QToolButton(row);
        button->setObjectName(name);
        button->setCheckable(true);
        button->setToolTip(tip);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        group->addButton(button);
        layout->addWidget(button);
        m_filters[filter] = button;
        connect(button, &QToolButton::clicked, this, [this, filter = filter] { setFilter(filter); });
    }
    m_filters[ImageFilter::all]->setChecked(true);
    m_chip = new QToolButton(row);
    m_chip->setObjectName(QStringLiteral("classChip"));
    m_chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_chip->setLayoutDirection(Qt::RightToLeft);   // the cross stands at the end
    m_chip->setToolTip(tr("Only these classes are on show. Click to see all classes again"));
    m_chip->hide();
    connect(m_chip, &QToolButton::clicked, this, [this] { filterClasses({}, {}); });
    layout->addWidget(m_chip);
    return row;
}

QComboBox* ImageGrid::classBox(const QString& name, const QString& prefix, std::optional<int> ImageGridChoice::*which,
                               const QString& tip)
{
    auto* box = new QComboBox(this);
    box->setObjectName(name);
    box->setProperty("prefix", prefix);
    box->setAccessibleName(tip);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(box, &QComboBox::currentIndexChanged, this, [this, box, which] {
        const int chosen = box->currentData().toInt();
        m_choice.*which  = chosen < 0 ? std::nullopt : std::optional(chosen);
        refresh();
    });
    return box;
}

QWidget* ImageGrid::buildControls()
{
    auto* row    = new QWidget(this);
    auto* layout = new FlowLayout(row);
    layout->setContentsMargins(4, 1, 4, 2);
    m_partBox = new QComboBox(row);
    m_partBox->setObjectName(QStringLiteral("imagePart"));
    m_partBox->setAccessibleName(tr("Which images"));
    m_partBox->addItem(tr("Test images"), static_cast<int>(ImagePart::test));
    m_partBox->addItem(tr("Training images"), static_cast<int>(ImagePart::training));
    m_partBox->setToolTip(tr("The images that are scored, or those that the network learns from"));
    connect(m_partBox, &QComboBox::currentIndexChanged, this,
            [this] { setPart(static_cast<ImagePart>(m_partBox->currentData().toInt())); });
    layout->addWidget(m_partBox);
    m_true      = classBox(QStringLiteral("trueClass"), tr("true"), &ImageGridChoice::true_class,
                           tr("Only images of this true class"));
    m_predicted = classBox(QStringLiteral("predictedClass"), tr("predicted"), &ImageGridChoice::predicted_class,
                           tr("Only images predicted as this class"));
    m_order     = new QComboBox(row);
    m_order->setObjectName(QStringLiteral("imageOrder"));
    m_order->setAccessibleName(tr("Order of the images"));
    m_order->setToolTip(tr("Order of the images"));
    for (const auto& [order, title] : std::initializer_list<std::pair<ImageOrder, QString>>{
             {ImageOrder::data, tr("As in the data")},
             {ImageOrder::entropy, tr("Most entropy first")},
             {ImageOrder::mutual_information, tr("Most epistemic first")},
             {ImageOrder::confidence_falling, tr("Surest first")},
             {ImageOrder::confidence_rising, tr("Least sure first")}})
        m_order->addItem(title, static_cast<int>(order));
    connect(m_order, &QComboBox::currentIndexChanged, this, [this] {
        m_choice.order = static_cast<ImageOrder>(m_order->currentData().toInt());
        refresh();
        m_list->scrollToTop();
    });
    m_criterion = new QComboBox(row);
    m_criterion->setObjectName(QStringLiteral("imageCriterion"));
    m_criterion->setAccessibleName(tr("Criterion of certainty"));
    m_criterion->setToolTip(tr(
        "When an image counts as certain, at the level of the Study: (i) the credible interval of the predicted class meets no other one, "
        "(ii) the mean probability of the predicted class reaches the level"));
    m_criterion->addItem(tr("certain by (i)"), static_cast<int>(CertaintyCriterion::no_overlap));
    m_criterion->addItem(tr("certain by (ii)"), static_cast<int>(CertaintyCriterion::probability));
    connect(m_criterion, &QComboBox::currentIndexChanged, this, [this] {
        m_choice.criterion = static_cast<CertaintyCriterion>(m_criterion->currentData().toInt());
        refresh();
    });
    m_zoom = new QSlider(Qt::Horizontal, row);
    m_zoom->setObjectName(QStringLiteral("imageZoom"));
    m_zoom->setFixedWidth(72);
    m_zoom->setPageStep(1);
    m_zoom->setAccessibleName(tr("Size of the images"));
    m_zoom->setToolTip(tr("Size of the images (Ctrl and wheel, + and −)"));
    connect(m_zoom, &QSlider::valueChanged, this, &ImageGrid::setSide);
    for (QWidget* each : std::initializer_list<QWidget*>{m_order, m_true, m_predicted, m_criterion, m_zoom})
        layout->addWidget(each);
    return row;
}

QWidget* ImageGrid::buildTools()
{
    auto* tools   = new QWidget(this);
    m_tableButton = new QToolButton(tools);
    m_tableButton->setObjectName(QStringLiteral("data/image_grid"));
    m_tableButton->setCheckable(true);
    m_tableButton->setAutoRaise(true);
    m_tableButton->setToolTip(tr("Show data: the numbers of all images on show"));
    m_tableButton->setAccessibleName(tr("Show data"));
    connect(m_tableButton, &QToolButton::toggled, this, &ImageGrid::showTable);
    auto* help = new HelpMark(
        tr("Images"), [] { return gridHelp(); }, tools);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(2);
    for (QWidget* each : std::initializer_list<QWidget*>{m_tableButton, help})
        row->addWidget(each);
    return tools;
}

void ImageGrid::fillClasses()
{
    for (auto* box : {m_true, m_predicted}) {
        const QSignalBlocker quiet(box);
        const QString prefix = box->property("prefix").toString();
        box->clear();
        box->addItem(tr("%1: any").arg(prefix), -1);
        for (std::size_t k = 0; k < m_model->classNames().size(); ++k)
            box->addItem(tr("%1: %2").arg(prefix, m_model->className(static_cast<int>(k))), static_cast<int>(k));
    }
    m_choice.true_class.reset();
    m_choice.predicted_class.reset();
}

void ImageGrid::setExperiment(const std::shared_ptr<const Experiment>& experiment)
{
    const bool otherData = m_model->empty() || m_model->experiment().data != experiment->data;
    if (!otherData) {
        const bool otherRun = m_model->experiment().start != experiment->start;
        m_model->setExperiment(experiment);
        if (otherRun)
            m_model->setPredictions({});   // of a net that is gone
        otherRun ? refresh() : describe();
        return;
    }
    if (experiment->data->test.n_rows == 0)
        m_part = ImagePart::training;
    m_chosen.reset();
    const bool otherShape = m_sides.empty() || m_model->empty()
                            || m_model->experiment().data->image != experiment->data->image;
    m_quiet = true;
    m_model->setImages(experiment, m_part);
    m_quiet = false;
    {
        const QSignalBlocker quiet(m_partBox);
        m_partBox->setItemText(0, has_validation_images(*experiment) ? tr("Validation images") : tr("Test images"));
        m_partBox->setCurrentIndex(m_partBox->findData(static_cast<int>(m_part)));
        m_partBox->setEnabled(experiment->data->test.n_rows > 0);
    }
    fillClasses();
    if (otherShape) {
        m_sides            = sidesFor(*experiment->data->image);
        const int wanted   = read(settings::imageSide);
        const auto nearest = std::min_element(m_sides.begin(), m_sides.end(), [wanted](int a, int b) {
            return std::abs(a - wanted) < std::abs(b - wanted);
        });
        const QSignalBlocker quiet(m_zoom);
        m_zoom->setRange(0, static_cast<int>(m_sides.size()) - 1);
        m_zoom->setValue(static_cast<int>(nearest - m_sides.begin()));
        m_delegate->setSide(*nearest);
        static_cast<EvenList*>(m_list)->fit();
    }
    refresh();
    m_list->scrollToTop();
}

void ImageGrid::setPredictions(const std::shared_ptr<const PredictedImages>& images)
{
    if (m_model->empty() || images->part != m_part || images->moment.experiment->data != m_model->experiment().data)
        return;
    m_model->setPredictions(images);
    refresh();
}

void ImageGrid::setPart(ImagePart part)
{
    if (part == m_part || m_model->empty())
        return;
    m_part = part;
    const QSignalBlocker quiet(m_partBox);
    m_partBox->setCurrentIndex(m_partBox->findData(static_cast<int>(part)));
    m_quiet = true;
    m_model->setImages(m_model->sharedExperiment(), part);
    m_quiet = false;
    refresh();
    m_list->scrollToTop();
    Q_EMIT partChanged(part);
}

void ImageGrid::setFilter(ImageFilter filter)
{
    m_choice.filter = filter;
    m_filters[filter]->setChecked(true);
    refresh();
}

void ImageGrid::filterClasses(std::optional<int> trueClass, std::optional<int> predictedClass)
{
    for (const auto& [box, k] : {std::pair{m_true, trueClass}, {m_predicted, predictedClass}}) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(std::max(0, box->findData(k.value_or(-1))));
    }
    m_choice.true_class      = trueClass;
    m_choice.predicted_class = predictedClass;
    refresh();
    m_list->scrollToTop();
}

/// Counts and shows again. What is chosen stays chosen, and the list stays where it is.
void ImageGrid::refresh()
{
    if (m_model->empty())
        return;
    const int at = m_list->verticalScrollBar()->value();
    m_quiet      = true;
    if (m_model->refresh(m_choice)) {
        m_list->doItemsLayout();
        markChosen(false);
        m_list->verticalScrollBar()->setValue(at);
    } else {
        m_list->viewport()->update();
    }
    m_quiet = false;
    tellSight();
    describe();
    if (m_tableButton->isChecked())
        showTable(true);
    else
        m_pages->setCurrentWidget(m_model->rowCount() > 0 ? static_cast<QWidget*>(m_list) : m_message);
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

void ImageGrid::tellSight()
{
    std::vector<std::uint32_t> images;
    const QSize cell = m_list->gridSize();
    if (!m_model->empty() && cell.isValid() && m_model->rowCount() > 0) {
        const int across = std::max(1, m_list->viewport()->width() / cell.width());
        const int top    = m_list->verticalScrollBar()->value() / cell.height();
        const int bottom = (m_list->verticalScrollBar()->value() + m_list->viewport()->height()) / cell.height();
        for (int row = top * across; row < std::min((bottom + 1) * across, m_model->rowCount()); ++row)
            images.push_back(m_model->imageAt(row));
    }
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

/// Counts on the buttons, the chip, and the line below.
void ImageGrid::describe()
{
    const auto& rows = m_model->rows();
    for (const auto& [filter, title] : std::initializer_list<std::pair<ImageFilter, QString>>{
             {ImageFilter::all, tr("All")},
             {ImageFilter::wrong, tr("Wrong")},
             {ImageFilter::uncertain, tr("Uncertain")},
             {ImageFilter::certain_but_wrong, tr("Certain but wrong")},
             {ImageFilter::right, tr("Right")}}) {
        auto* button     = m_filters[filter];
        const bool known = filter == ImageFilter::all
                           || (m_model->predicted()
                               && m_model->predicted()->whole());   // counts are of one step or of none
        button->setText(known ? tr("%1 %2").arg(title, number(rows.count(filter))) : title);
        button->setMinimumWidth(button->fontMetrics().horizontalAdvance(tr("%1 %2").arg(title, number(rows.n)))
                                + widerThanText);   // no row of buttons jumps while counts grow
        button->setAccessibleName(known ? tr("%1: %2 of %3").arg(title, number(rows.count(filter)), number(rows.all))
                                        : title);
    }
    QStringList classes;
    if (m_choice.true_class)
        classes += tr("true %1").arg(m_model->className(*m_choice.true_class));
    if (m_choice.predicted_class)
        classes += tr("predicted %1").arg(m_model->className(*m_choice.predicted_class));
    m_chip->setVisible(!classes.isEmpty());
    m_chip->setText(classes.join(QStringLiteral(", ")));
    m_chip->setAccessibleName(tr("Only %1: show all classes again").arg(m_chip->text()));

    const auto& study = m_model->experiment().study;
    m_message->setText(m_model->predicted() || m_choice == ImageGridChoice{} ? QString::fromStdString(
                           empty_grid_sentence(m_choice, study.prediction.level, m_model->classNames()))
                                                                             : tr("Predicting the images …"));
    const QString what = m_partBox->currentText();
    QString whole;
    QString line = tr("%1 of %2 %3")
                       .arg(number(static_cast<long>(rows.rows.size())), number(rows.n),
                            what.at(0).toLower() + what.mid(1));
    if (const auto* p = m_model->predicted()) {   // what matters most first: a narrow window cuts the end
        const double share = p->current == 0 ? 0
                                             : 100.0 * static_cast<double>(p->wrong) / static_cast<double>(p->current);
        if (p->current == p->rows.size())
            line += tr(" · %1 % wrong").arg(share, 0, 'f', 2);
        else if (p->current > 0)
            line += tr(" · %1 % wrong of the %2 predicted so far")
                        .arg(share, 0, 'f', 2)
                        .arg(number(static_cast<long>(p->current)));
        line += tr(" · step %1").arg(number(p->moment.snapshot->point.step));
        whole = line
                + tr(" · %2 · α = %1")
                      .arg(p->moment.experiment->study.prediction.level)
                      .arg(p->draws == 1 ? tr("1 draw") : tr("%1 draws").arg(p->draws));
    } else {
        line += tr(" · predicting …");
    }
    m_status->setText(line);   // the rest has no room beside the filters
    m_status->setToolTip(whole.isEmpty() ? line : whole);
    m_list->setAccessibleDescription(m_status->toolTip());
}

void ImageGrid::setSide(int step)
{
    if (step < 0 || step >= static_cast<int>(m_sides.size()))
        return;
    const QModelIndex top = m_list->currentIndex().isValid()
                                    && m_list->visualRect(m_list->currentIndex()).intersects(m_list->viewport()->rect())
                                ? m_list->currentIndex()
                                : m_list->indexAt({12, 12});
    m_delegate->setSide(m_sides[static_cast<std::size_t>(step)]);
    write(settings::imageSide, m_delegate->side());
    static_cast<EvenList*>(m_list)->fit();
    m_list->doItemsLayout();
    if (top.isValid())
        m_list->scrollTo(top, top == m_list->currentIndex() ? QAbstractItemView::EnsureVisible
                                                            : QAbstractItemView::PositionAtTop);
}

void ImageGrid::showTable(bool on)
{
    if (on)
        m_table->setTable(image_grid_table(m_model->rows().rows, m_model->predictions(),
                                           images_of(m_model->experiment(), m_part).data->labels,
                                           m_model->classNames()));
    m_pages->setCurrentWidget(on                        ? static_cast<QWidget*>(m_table)
                              : m_model->rowCount() > 0 ? static_cast<QWidget*>(m_list)
                                                        : m_message);
}

bool ImageGrid::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel && static_cast<QWheelEvent*>(event)->modifiers().testFlag(Qt::ControlModifier)) {
        const int turn = static_cast<QWheelEvent*>(event)->angleDelta().y();
        m_zoom->setValue(m_zoom->value() + (turn > 0) - (turn < 0));
        return true;
    }
    if (event->type() == QEvent::KeyPress && watched == m_list) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Plus || key->key() == Qt::Key_Minus) {
            m_zoom->setValue(m_zoom->value() + (key->key() == Qt::Key_Plus ? 1 : -1));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}
