// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_grid.h"

#include "parts/form_controls.h"
#include "parts/icons.h"
#include "work/text.h"

#include "data/dataset.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

constexpr int widerThanText = 12;   ///< pixels by which a button is wider than its text

struct FilterWords {
    ImageFilter filter;
    const char* name;
    QString title, tip;
};

const std::vector<FilterWords>& filters()
{
    static const std::vector<FilterWords> words{
        {ImageFilter::all, "filterAll", ImageGridBar::tr("All"),
         ImageGridBar::tr("Show all images of the selected "
                          "classes")},
        {ImageFilter::wrong, "filterWrong", ImageGridBar::tr("Wrong"),
         ImageGridBar::tr("Show images whose predicted class is not the true one")},
        {ImageFilter::uncertain, "filterUncertain", ImageGridBar::tr("Uncertain"),
         ImageGridBar::tr("Show images about which the network is uncertain, by the selected criterion at the "
                          "Study's level")},
        {ImageFilter::certain, "filterCertain", ImageGridBar::tr("Certain"),
         ImageGridBar::tr("Show OOD images about which the network is certain: the failures to look at first")},
        {ImageFilter::certain_but_wrong, "filterCertainWrong", ImageGridBar::tr("Certain but wrong"),
         ImageGridBar::tr("Show images that are wrong although certain: the failures to look at first")},
        {ImageFilter::right, "filterRight", ImageGridBar::tr("Right"),
         ImageGridBar::tr("Show images whose predicted class is the true one")}};
    return words;
}

}   // namespace

ImageGridBar::ImageGridBar(QWidget* parent) : QWidget(parent)
{
    auto* filterRow = new QWidget(this);
    filterRow->setLayout(buildFilters());
    auto* choiceRow = new QWidget(this);
    choiceRow->setLayout(buildChoices());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(filterRow);
    all->addWidget(choiceRow);
}

QLayout* ImageGridBar::buildFilters()
{
    auto* layout = new FlowLayout;
    layout->setContentsMargins(4, 3, 4, 1);
    auto* group = new QButtonGroup(this);
    for (const auto& each : filters()) {
        auto* button = new QToolButton(this);
        describeControl(button, QLatin1String(each.name), each.title, each.tip);
        button->setCheckable(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        group->addButton(button);
        layout->addWidget(button);
        m_filters[each.filter] = button;
        connect(button, &QToolButton::clicked, this, [this, filter = each.filter] {
            setFilter(filter);
            Q_EMIT changed(false);
        });
    }
    m_filters[ImageFilter::all]->setChecked(true);
    fitFilters();
    m_chip = new QToolButton(this);
    describeControl(m_chip, QStringLiteral("classChip"), tr("Show all classes again"),
                    tr("Only these images are shown. Click to show all of them"));
    m_chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_chip->setLayoutDirection(Qt::RightToLeft);   // the cross comes after the text
    m_chip->setIcon(icon(QStringLiteral("cancel")));
    m_chip->hide();
    connect(m_chip, &QToolButton::clicked, this, [this] {
        setClasses({}, {});
        setListed({}, {});
        Q_EMIT changed(true);
    });
    layout->addWidget(m_chip);
    return layout;
}

QComboBox* ImageGridBar::addBox(QLayout* layout, const QString& name, const QString& title, const QString& tip)
{
    auto* box = new QComboBox(this);
    describeControl(box, name, title, tip);
    box->setMinimumWidth(60);   // shrinks if that saves a line
    layout->addWidget(box);
    return box;
}

void ImageGridBar::followClass(QComboBox* box, std::optional<int> ImageGridChoice::*which)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(box, &QComboBox::currentIndexChanged, this, [this, box, which] {
        const int chosen = box->currentData().toInt();
        m_choice.*which  = chosen < 0 ? std::nullopt : std::optional(chosen);
        Q_EMIT changed(false);
    });
}

QLayout* ImageGridBar::buildChoices()
{
    auto* layout = new FlowLayout;
    layout->setContentsMargins(4, 1, 4, 2);
    layout->setLeastShare(0.9);   // no line for the slider alone
    m_part = addBox(
        layout, QStringLiteral("imagePart"), tr("Image set"),
        tr("Select the images used for scores, the training images, or OOD images of unknown classes (see the "
           "setting Other data)"));
    m_part->setSizeAdjustPolicy(QComboBox::AdjustToContents);   // its text changes with the data
    connect(m_part, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT partChosen(part()); });
    m_order = addBox(layout, QStringLiteral("imageOrder"), tr("Order of the images"),
                     tr("Select the order of the images"));
    for (const auto& [order, title] :
         std::initializer_list<std::pair<ImageOrder, QString>>{{ImageOrder::data, tr("Data order")},
                                                               {ImageOrder::entropy, tr("Most entropy")},
                                                               {ImageOrder::mutual_information, tr("Most epistemic")},
                                                               {ImageOrder::confidence_falling, tr("Most confident")},
                                                               {ImageOrder::confidence_rising, tr("Least confident")}})
        m_order->addItem(title, static_cast<int>(order));
    connect(m_order, &QComboBox::currentIndexChanged, this, [this] {
        m_choice.order = static_cast<ImageOrder>(m_order->currentData().toInt());
        Q_EMIT changed(true);
    });
    m_true      = addBox(layout, QStringLiteral("trueClass"), tr("Only images of this true class"),
                         tr("Show only images of this true class"));
    m_predicted = addBox(layout, QStringLiteral("predictedClass"), tr("Only images predicted as this class"),
                         tr("Show only images predicted as this class"));
    followClass(m_true, &ImageGridChoice::true_class);
    followClass(m_predicted, &ImageGridChoice::predicted_class);
    m_criterion = addBox(
        layout, QStringLiteral("imageCriterion"), tr("Criterion of certainty"),
        tr("Select when an image counts as certain, at the level of the Study: (i) the credible interval of the "
           "predicted class does not overlap any other, (ii) the mean probability of the predicted class is at "
           "least the level"));
    m_criterion->addItem(tr("certain by interval (i)"), static_cast<int>(CertaintyCriterion::no_overlap));
    m_criterion->addItem(tr("certain by probability (ii)"), static_cast<int>(CertaintyCriterion::probability));
    connect(m_criterion, &QComboBox::currentIndexChanged, this, [this] {
        m_choice.criterion = static_cast<CertaintyCriterion>(m_criterion->currentData().toInt());
        Q_EMIT changed(false);
    });
    m_size = new QSlider(Qt::Horizontal, this);
    describeControl(m_size, QStringLiteral("imageZoom"), tr("Size of the images"),
                    tr("Set the size of the images (Ctrl and wheel, + and −)"));
    m_size->setFixedWidth(60);
    m_size->setPageStep(1);
    connect(m_size, &QSlider::valueChanged, this, &ImageGridBar::sizeChosen);
    layout->addWidget(m_size);
    return layout;
}

ImagePart ImageGridBar::part() const { return static_cast<ImagePart>(m_part->currentData().toInt()); }

QString ImageGridBar::partName() const { return m_part->currentText(); }

int ImageGridBar::size() const { return m_size->value(); }

QString ImageGridBar::className(int k) const { return toQString(class_name(m_classNames, k)); }

QString ImageGridBar::trueClassName(int k) const
{
    return toQString(class_name(m_ownClasses.empty() ? m_classNames : m_ownClasses, k));
}

void ImageGridBar::setData(const Experiment& experiment, ImagePart part)
{
    const QSignalBlocker quiet(m_part);
    const auto& data = *experiment.data;
    m_part->clear();
    if (data.test.n_rows > 0)
        m_part->addItem(experiment.outputs                  ? tr("Images of the file")
                        : has_validation_images(experiment) ? tr("Validation images")
                                                            : tr("Test images"),
                        static_cast<int>(ImagePart::test));
    if (data.training.n_rows > 0)
        m_part->addItem(tr("Training images"), static_cast<int>(ImagePart::training));
    if (has_ood_images(experiment))
        m_part->addItem(tr("OOD images"), static_cast<int>(ImagePart::ood));
    m_part->setEnabled(m_part->count() > 1);
    const bool labelled = !experiment.data->test.labels.empty() || !experiment.data->training.labels.empty();
    for (const auto& each : filters()) {
        const bool needs = each.filter == ImageFilter::wrong || each.filter == ImageFilter::right
                           || each.filter == ImageFilter::certain_but_wrong;
        m_filters[each.filter]->setEnabled(labelled || !needs);
        m_filters[each.filter]->setToolTip(labelled || !needs ? each.tip : tr("The file has no array “labels”"));
        if (!labelled && needs && m_choice.filter == each.filter)
            setFilter(ImageFilter::all);
    }
    m_true->setEnabled(labelled);
    m_classNames = experiment.data->training.class_names;
    setPart(part);
    fillClasses();
}

/// OOD images have no true class: filters for right and wrong are hidden, and one for certain
/// images is shown.
void ImageGridBar::fitFilters()
{
    const bool ood = !m_ownClasses.empty();
    for (auto& [filter, button] : m_filters) {
        const bool ofTruth = filter == ImageFilter::wrong || filter == ImageFilter::right
                             || filter == ImageFilter::certain_but_wrong;
        button->setVisible(ofTruth ? !ood : filter != ImageFilter::certain || ood);
    }
    if (m_filters[m_choice.filter]->isHidden())
        setFilter(ImageFilter::all);
}

void ImageGridBar::fillClasses()
{
    const bool ood = !m_ownClasses.empty();
    for (const auto& [box, prefix, names] :
         {std::tuple{m_true, ood ? tr("class") : tr("true"), ood ? &m_ownClasses : &m_classNames},
          {m_predicted, tr("predicted"), &m_classNames}}) {
        const QSignalBlocker quiet(box);
        box->clear();
        box->addItem(tr("%1: any").arg(prefix), -1);
        for (int k = 0; k < static_cast<int>(names->size()); ++k)
            box->addItem(tr("%1: %2").arg(prefix, toQString(class_name(*names, k))), k);
    }
    m_choice.true_class.reset();
    m_choice.predicted_class.reset();
    setListed({}, {});
}

void ImageGridBar::setPart(ImagePart part, std::span<const std::string> ownClasses)
{
    const QSignalBlocker quiet(m_part);
    m_part->setCurrentIndex(m_part->findData(static_cast<int>(part)));
    if (std::equal(ownClasses.begin(), ownClasses.end(), m_ownClasses.begin(), m_ownClasses.end()))
        return;
    m_ownClasses.assign(ownClasses.begin(), ownClasses.end());
    fillClasses();
    fitFilters();
}

void ImageGridBar::setFilter(ImageFilter filter)
{
    m_choice.filter = filter;
    m_filters[filter]->setChecked(true);
}

void ImageGridBar::setClasses(std::optional<int> trueClass, std::optional<int> predictedClass)
{
    for (const auto& [box, k] : {std::pair{m_true, trueClass}, {m_predicted, predictedClass}}) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(std::max(0, box->findData(k.value_or(-1))));
    }
    m_choice.true_class      = trueClass;
    m_choice.predicted_class = predictedClass;
}

void ImageGridBar::setListed(std::vector<std::uint32_t> images, const QString& name)
{
    m_choice.listed = std::move(images);
    m_listedName    = name;
}

void ImageGridBar::setSizes(int steps, int chosen)
{
    const QSignalBlocker quiet(m_size);
    m_size->setRange(0, steps - 1);
    m_size->setValue(chosen);
}

void ImageGridBar::sizeBy(int steps) { m_size->setValue(m_size->value() + steps); }

void ImageGridBar::describe(const ImageGridRows& rows, bool known)
{
    for (const auto& [filter, name, title, tip] : filters()) {
        auto* button       = m_filters[filter];
        const bool counted = known || filter == ImageFilter::all;
        const QString n    = toQString(rows.count(filter));
        button->setText(counted ? tr("%1 %2").arg(title, n) : title);
        button->setMinimumWidth(button->fontMetrics().horizontalAdvance(tr("%1 %2").arg(title, toQString(rows.n)))
                                + widerThanText);   // keeps the buttons in place while counts grow
        button->setAccessibleName(counted ? tr("%1: %2 of %3").arg(title, n, toQString(rows.all)) : title);
    }
    QStringList classes;
    if (m_choice.true_class)
        classes += (m_ownClasses.empty() ? tr("true %1") : tr("class %1")).arg(trueClassName(*m_choice.true_class));
    if (m_choice.predicted_class)
        classes += tr("predicted %1").arg(className(*m_choice.predicted_class));
    if (!m_choice.listed.empty())
        classes += m_listedName;
    m_chip->setVisible(!classes.isEmpty());
    m_chip->setText(classes.join(QStringLiteral(", ")));
    m_chip->setAccessibleName(
        (m_choice.listed.empty() ? tr("Only %1: show all classes") : tr("Only %1: show all images"))
            .arg(m_chip->text()));
}
