// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_controls.h"

#include "parts/appearance.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "simplex/simplex_presets.h"
#include "work/text.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

using namespace credence;

namespace {

constexpr int leastName = 48;   ///< pixels for "class 0"

/// Shows a number such as -0.366 in full at any text size.
class LogitBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    void fitNumber()
    {
        constexpr int frame = 16;
        setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("-0.000")) + frame);
    }

protected:
    void changeEvent(QEvent* event) override
    {
        QDoubleSpinBox::changeEvent(event);
        if (event->type() == QEvent::FontChange)
            fitNumber();
    }
};

QDoubleSpinBox* numberBox(const QString& name, const QString& tip, double low, double high, QWidget* parent)
{
    auto* box = new LogitBox(parent);
    box->setObjectName(name);
    box->setRange(low, high);
    box->setDecimals(3);
    box->setSingleStep(0.1);
    box->setKeyboardTracking(false);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setAccessibleName(tip);
    box->setToolTip(tip);
    box->fitNumber();
    limitWithText(box, 90);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return box;
}

}   // namespace

LogitBoxes::LogitBoxes(QWidget* parent)
    : QWidget(parent), m_mistake(new MistakeLabel(QStringLiteral("lawMistake"), this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(6, 0, 4, 2);
    grid->setHorizontalSpacing(3);
    grid->setVerticalSpacing(2);
    auto* mean = new QLabel(tr("μ"), this);
    mean->setAlignment(Qt::AlignCenter);
    grid->addWidget(mean, 0, 1);
    auto* covariance = new QLabel(tr("Σ"), this);
    covariance->setAlignment(Qt::AlignCenter);
    grid->addWidget(covariance, 0, 2, 1, 3);
    grid->addWidget(new HelpMark(
                        tr("μ and Σ"),
                        [] {
        return tr(
            "<b>μ and Σ</b><p>Mean and covariance of the Gaussian over the three logits, z ~ N(μ, Σ); the "
            "probabilities are π = softmax(z). The diagonal of Σ contains variances; Σ is symmetric, so its lower "
            "half is enough.</p><p>Softmax depends only on differences of logits: adding the same number to all "
            "components of μ does not change the exact distribution. The plain and the conditioned bridge depend "
            "on Σ in that direction, the projected one does not.</p><p>Arrow keys change a number by 0.1.</p>");
                        },
                        this),
                    0, 5);
    for (int k = 0; k < 3; ++k) {
        m_names[k] = new ElidedLabel(this);
        m_names[k]->setMinimumWidth(withFont(leastName));
        limitWithText(m_names[k], 120);
        grid->addWidget(m_names[k], k + 1, 0);
        m_mu[k] = numberBox(QStringLiteral("mu%1").arg(k), tr("Mean of logit %1").arg(k), -1000, 1000, this);
        grid->addWidget(m_mu[k], k + 1, 1);
        connect(m_mu[k], &QDoubleSpinBox::valueChanged, this, [this, k](double value) {
            m_meanValues[static_cast<std::size_t>(k)] = value;
            read(QStringLiteral("mu%1").arg(k));
        });
        for (int l = 0; l <= k; ++l) {
            m_sigma[k][l] = numberBox(QStringLiteral("sigma%1%2").arg(k).arg(l),
                                      k == l ? tr("Variance of logit %1").arg(k)
                                             : tr("Covariance of logits %1 and %2").arg(k).arg(l),
                                      k == l ? 0 : -1e6, 1e6, this);
            if (k == l)
                m_sigma[k][l]->setDecimals(4);
            grid->addWidget(m_sigma[k][l], k + 1, 2 + l);
            connect(m_sigma[k][l], &QDoubleSpinBox::valueChanged, this, [this, k, l](double value) {
                m_covariance[static_cast<std::size_t>(3 * k + l)] = m_covariance[static_cast<std::size_t>(3 * l + k)] =
                    value;
                read(QStringLiteral("sigma%1%2").arg(k).arg(l));
            });
        }
    }
    for (int column = 1; column <= 4; ++column)
        grid->setColumnStretch(column, 3);
    grid->setColumnStretch(6, 1);   // what the numbers do not need
    grid->addWidget(m_mistake, 4, 0, 1, 6);
    grid->setRowStretch(5, 1);
    setNames({tr("class 0"), tr("class 1"), tr("class 2")});
}

void LogitBoxes::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        for (auto* name : m_names)
            name->setMinimumWidth(withFont(leastName));
}

void LogitBoxes::setNames(const QStringList& names)
{
    for (int k = 0; k < 3 && k < names.size(); ++k) {
        m_names[k]->setText(names[k]);
        m_names[k]->setToolTip(names[k]);
    }
}

void LogitBoxes::setLogits(const LogitGaussian& logits)
{
    m_meanValues = logits.mu();
    m_covariance = logits.covariance();
    for (int k = 0; k < 3; ++k) {
        const QSignalBlocker quiet(m_mu[k]);
        m_mu[k]->setValue(logits.mu()[static_cast<std::size_t>(k)]);
        for (int l = 0; l <= k; ++l) {
            const QSignalBlocker quietToo(m_sigma[k][l]);
            m_sigma[k][l]->setValue(logits.covariance(k, l));
        }
    }
    setMistake({});
}

void LogitBoxes::setMistake(const QString& sentence) { m_mistake->setMistake(sentence); }

void LogitBoxes::read(const QString& what)
{
    try {
        const auto logits = LogitGaussian::from_covariance(m_meanValues, m_covariance);
        setMistake({});
        Q_EMIT edited(logits, what);
    } catch (const std::exception& error) {
        setMistake(toQString(error.what()));   // the chart does not change
    }
}

namespace {

constexpr int drawsShown = 400;

QString bridgeHelp()
{
    return SimplexControls::tr(
        "<b>Laplace Bridge</b><p>α_k = (1/Σ_kk)(1 − 2/K + e^{μ_k}/K² Σ_l e^{−μ_l}): the Dirichlet whose own Laplace "
        "approximation in the softmax basis is the Gaussian N(μ, Σ). It assumes a Gaussian in the plane Σz = "
        "0.</p><p><b>Plain</b>: μ and diag Σ unchanged, as in the thesis. <b>Conditioned on Σz = 0</b>: as in the "
        "paper of 2022 and laplace-torch; it changes the distribution of softmax(z). <b>Projected</b>: the "
        "distribution of z − mean(z), the only variant that preserves the distribution of softmax(z). "
        "<b>Normalised</b>: afterwards μ/√c and Σ/c with c = mean(diag Σ)/√(K/2), which limits large variances; the "
        "Dirichlet's concentration then no longer reflects their size.</p><p>Source: MacKay 1998; Hobbhahn 2020, (2.7) "
        "with the sign of one exponent corrected.</p>");
}

QComboBox* choiceBox(const QString& name, const QString& title, const QString& tip, QWidget* parent)
{
    auto* made = new QComboBox(parent);
    describeControl(made, name, title, tip);
    return made;
}

}   // namespace

SimplexControls::SimplexControls(QWidget* pictureTools, QWidget* parent) : QWidget(parent)
{
    auto* flow = new FlowLayout(this);
    flow->setContentsMargins(4, 2, 4, 1);
    flow->addWidget(buildPages());
    m_ofTriangle = {buildLogits(), buildBridge(), buildDrawing(), buildMarks(pictureTools)};
    for (QWidget* each : m_ofTriangle)
        flow->addWidget(each);
    flow->addWidget(buildClasses());
}

QWidget* SimplexControls::buildPages()
{
    m_pageButtons                             = new QButtonGroup(this);
    const std::pair<QString, QString> pages[] = {
        {tr("Triangle"), tr("Show three classes: the exact distribution and its Laplace Bridge")},
        {tr("Beta"), tr("Show two classes: a Beta distribution and its Laplace approximation in two bases")}};
    auto* switches = new QWidget(this);
    auto* pair     = new QHBoxLayout(switches);
    pair->setContentsMargins(0, 0, 4, 0);
    pair->setSpacing(0);
    for (int i = 0; i < 2; ++i) {
        auto* button = new QToolButton(switches);
        button->setObjectName(i == 0 ? QStringLiteral("simplexTrianglePage") : QStringLiteral("simplexBetaPage"));
        button->setText(pages[i].first);
        button->setToolTip(pages[i].second);
        button->setCheckable(true);
        m_pageButtons->addButton(button, i);
        pair->addWidget(button);
    }
    m_pageButtons->button(0)->setChecked(true);
    connect(m_pageButtons, &QButtonGroup::idClicked, this, &SimplexControls::pageChosen);
    return switches;
}

QWidget* SimplexControls::buildLogits()
{
    auto* ofTriangle = new QWidget(this);
    auto* row        = new QHBoxLayout(ofTriangle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_source = choiceBox(
        QStringLiteral("simplexSource"), tr("Source of the Gaussian over the logits"),
        tr("Select the source. By hand: drag, type or load a preset. Selected input: the prediction of the "
           "displayed run, updated during training; dragging switches to By hand."),
        ofTriangle);
    m_source->addItem(tr("By hand"), static_cast<int>(SimplexSource::by_hand));
    m_source->addItem(tr("Selected input"), static_cast<int>(SimplexSource::chosen_input));
    connect(m_source, &QComboBox::activated, this,
            [this] { Q_EMIT sourceChosen(static_cast<SimplexSource>(m_source->currentData().toInt())); });
    row->addWidget(m_source);
    auto* menu    = new QMenu(ofTriangle);
    auto* presets = new MenuButton(tr("Preset"), menu, ofTriangle);
    presets->setObjectName(QStringLiteral("simplexPresets"));
    presets->setToolTip(tr("Load an instructive Gaussian, including those of figures in the thesis"));
    menu->setToolTipsVisible(true);
    for (int i = 0; i < static_cast<int>(simplex_presets().size()); ++i) {
        const auto& preset = simplex_presets()[static_cast<std::size_t>(i)];
        auto* action       = menu->addAction(toQString(preset.title), this, [this, i] { Q_EMIT presetChosen(i); });
        action->setObjectName(QStringLiteral("simplexPreset/") + toQString(preset.id));
        action->setToolTip(toQString(preset.note));
    }
    row->addWidget(presets);
    return ofTriangle;
}

QWidget* SimplexControls::buildBridge()
{
    auto* bridges = new QWidget(this);
    auto* row     = new QHBoxLayout(bridges);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_variant = choiceBox(
        QStringLiteral("bridgeVariant"), tr("Variant of the Laplace Bridge"),
        tr("Select the preprocessing of the Gaussian before the bridge, which assumes that the logits sum to 0"),
        bridges);
    for (const auto variant : bridge_variants)
        m_variant->addItem(tr("Bridge: %1").arg(toQString(title_of(variant))), static_cast<int>(variant));
    m_variant->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_variant->setMinimumContentsLength(17);
    connect(m_variant, &QComboBox::activated, this,
            [this] { Q_EMIT variantChosen(static_cast<BridgeVariant>(m_variant->currentData().toInt())); });
    row->addWidget(m_variant);
    row->addWidget(new HelpMark(tr("Laplace Bridge"), bridgeHelp, bridges));
    return bridges;
}

QWidget* SimplexControls::buildDrawing()
{
    auto* drawing = new QWidget(this);
    auto* row     = new QHBoxLayout(drawing);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_layoutChoice = choiceBox(
        QStringLiteral("simplexLayout"), tr("One triangle or two"),
        tr("Show both densities side by side, or the exact one with the contours of both overlaid, larger"), drawing);
    m_layoutChoice->addItems({tr("Side by side"), tr("Overlaid")});
    connect(m_layoutChoice, &QComboBox::activated, this, &SimplexControls::choiceChanged);
    row->addWidget(m_layoutChoice);
    m_scaling = choiceBox(
        QStringLiteral("simplexColours"), tr("Colour scale"),
        tr("Select the colour scale. Logarithmic colours show the tails of a peaked density; automatic uses them "
           "when the peak is much higher than the bulk. The colour bar shows the scale."),
        drawing);
    m_scaling->addItem(tr("Colours: automatic"), static_cast<int>(ColourScaling::automatic));
    m_scaling->addItem(tr("Colours: linear"), static_cast<int>(ColourScaling::linear));
    m_scaling->addItem(tr("Colours: logarithmic"), static_cast<int>(ColourScaling::logarithmic));
    connect(m_scaling, &QComboBox::activated, this, &SimplexControls::choiceChanged);
    row->addWidget(m_scaling);
    return drawing;
}

QWidget* SimplexControls::buildMarks(QWidget* pictureTools)
{
    auto* marks = new QWidget(this);
    auto* row   = new QHBoxLayout(marks);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_lines = new QCheckBox(tr("Contours"), marks);
    m_lines->setObjectName(QStringLiteral("simplexLines"));
    m_lines->setToolTip(tr("Show contours of the smallest regions with 50 % and 90 % probability"));
    m_lines->setChecked(true);
    connect(m_lines, &QCheckBox::toggled, this, &SimplexControls::choiceChanged);
    row->addWidget(m_lines);
    m_draws = new QCheckBox(tr("Samples"), marks);
    m_draws->setObjectName(QStringLiteral("simplexDraws"));
    m_draws->setToolTip(tr("Show 400 samples of the exact distribution as points"));
    connect(m_draws, &QCheckBox::toggled, this, &SimplexControls::choiceChanged);
    row->addWidget(m_draws);
    row->addWidget(pictureTools);
    return marks;
}

QWidget* SimplexControls::buildClasses()
{
    m_classRow = new QWidget(this);
    auto* row  = new QHBoxLayout(m_classRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_mostProbable = new QCheckBox(tr("Most probable classes"), m_classRow);
    m_mostProbable->setObjectName(QStringLiteral("simplexMostProbable"));
    m_mostProbable->setToolTip(tr("Use the classes with the largest mean logits as corners; untick to choose them"));
    m_mostProbable->setChecked(true);
    connect(m_mostProbable, &QCheckBox::toggled, this, [this] {
        fitClasses();
        Q_EMIT choiceChanged();
    });
    row->addWidget(m_mostProbable);
    for (int k = 0; k < 3; ++k) {
        m_corners[k] = choiceBox(QStringLiteral("simplexCorner%1").arg(k), tr("Class at corner %1").arg(k + 1),
                                 tr("Select the class at this corner: lower left, lower right, top"), m_classRow);
        m_corners[k]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_corners[k]->setMinimumContentsLength(5);
        connect(m_corners[k], &QComboBox::activated, this, [this, k](int chosen) {
            for (int other = 0; other < 3; ++other)   // each class can be at one corner only: swap the two
                if (other != k && m_corners[other]->currentIndex() == chosen) {
                    std::vector<int> taken;
                    for (const auto* corner : m_corners)
                        taken.push_back(corner->currentIndex());
                    int free = 0;
                    while (std::find(taken.begin(), taken.end(), free) != taken.end())
                        ++free;
                    m_corners[other]->setCurrentIndex(free);
                }
            Q_EMIT choiceChanged();
        });
        row->addWidget(m_corners[k]);
    }
    m_others = choiceBox(
        QStringLiteral("simplexOthers"), tr("Treatment of the other classes"),
        tr("Select the treatment. Omitted: the three classes renormalised, π/(sum of the three), exact for both "
           "distributions. Merged: two classes and all others as one, exact for the Dirichlet, by sample moments "
           "for the Gaussian."),
        m_classRow);
    m_others->addItem(tr("others omitted"), static_cast<int>(OtherClasses::left_out));
    m_others->addItem(tr("others merged"), static_cast<int>(OtherClasses::merged));
    connect(m_others, &QComboBox::activated, this, [this] {
        fitClasses();
        Q_EMIT choiceChanged();
    });
    row->addWidget(m_others);
    return m_classRow;
}

void SimplexControls::setPage(int page)
{
    m_pageButtons->button(page)->setChecked(true);
    for (QWidget* each : m_ofTriangle)
        each->setVisible(page == 0);
    fitClasses();
}

void SimplexControls::setSource(SimplexSource source)
{
    const QSignalBlocker quiet(m_source);
    m_source->setCurrentIndex(m_source->findData(static_cast<int>(source)));
    fitClasses();
}

void SimplexControls::setVariant(BridgeVariant variant)
{
    const QSignalBlocker quiet(m_variant);
    m_variant->setCurrentIndex(m_variant->findData(static_cast<int>(variant)));
}

void SimplexControls::setClasses(const QStringList& names)
{
    m_classNames = names;
    fitClasses();
}

void SimplexControls::showCorners(const std::vector<int>& classes)
{
    if (!m_mostProbable->isChecked())
        return;
    for (std::size_t k = 0; k < std::min(classes.size(), std::size(m_corners)); ++k) {
        const QSignalBlocker quiet(m_corners[k]);
        m_corners[k]->setCurrentIndex(classes[k]);
    }
}

SimplexChoice SimplexControls::choice() const
{
    SimplexChoice choice;
    choice.density.variant = static_cast<BridgeVariant>(m_variant->currentData().toInt());
    choice.density.samples = m_draws->isChecked() ? drawsShown : 0;
    choice.density.others  = static_cast<OtherClasses>(m_others->currentData().toInt());
    if (!m_mostProbable->isChecked())
        for (const auto* corner : m_corners)
            choice.density.classes.push_back(corner->currentIndex());
    choice.look.over_one_another = m_layoutChoice->currentIndex() == 1;
    choice.look.contours         = m_lines->isChecked();
    choice.look.scaling          = static_cast<ColourScaling>(m_scaling->currentData().toInt());
    return choice;
}

/// Offers a choice of corners for more than three classes.
void SimplexControls::fitClasses()
{
    const bool chosen = static_cast<SimplexSource>(m_source->currentData().toInt()) == SimplexSource::chosen_input;
    const bool many   = chosen && m_classNames.size() > 3;
    m_classRow->setVisible(many && m_pageButtons->checkedId() == 0);
    const bool merged = static_cast<OtherClasses>(m_others->currentData().toInt()) == OtherClasses::merged;
    for (std::size_t k = 0; many && k < std::size(m_corners); ++k) {
        auto* corner = m_corners[k];
        const QSignalBlocker quiet(corner);
        if (corner->count() != m_classNames.size() || corner->itemText(0) != m_classNames.front()) {
            corner->clear();
            corner->addItems(m_classNames);
            corner->setCurrentIndex(static_cast<int>(k));
        }
        corner->setEnabled(!m_mostProbable->isChecked());
        corner->setVisible(k < 2 || !merged);
    }
    fitTo(m_width);
}

void SimplexControls::fitTo(int width)
{
    m_width = width;
    setFixedHeight(layout()->heightForWidth(width));
}
