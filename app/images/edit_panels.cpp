// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/edit_panels.h"

#include "images/image_canvas.h"
#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/icons.h"
#include "parts/number_slider.h"
#include "work/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace {

QString help()
{
    return DrawPanel::tr(
        "<b>Draw</b><p>White on black. The pen's width is in pixels of the image; the eraser is twice as "
        "wide.</p><p><b>Centre as MNIST does</b>: the drawing is scaled so that its bounding box just fits 20 of "
        "28 pixels, and shifted so that its centre of mass is in the middle. The small image is what the network "
        "then sees. Without it, the network sees the drawing where you put it. Source: LeCun et al. "
        "1998.</p><p>Keys, with the image in focus: arrows move the pen, Space lowers or lifts it, Ctrl+Z undoes a "
        "stroke.</p>");
}

}   // namespace

DrawPanel::DrawPanel(ImageCanvas& canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas), m_pen(toolButton(QStringLiteral("imagePen"), tr("Pen"), this)),
      m_eraser(toolButton(QStringLiteral("imageEraser"), tr("Eraser"), this)),
      m_undo(toolButton(QStringLiteral("imageUndoStroke"), tr("Undo the last stroke (Ctrl+Z in the image)"), this)),
      m_clear(toolButton(QStringLiteral("imageClear"), tr("Clear the drawing"), this)),
      m_width(new QDoubleSpinBox(this)), m_mainTabs(new QCheckBox(tr("centre as MNIST does"), this))
{
    for (auto* tool : {m_pen, m_eraser}) {
        tool->setCheckable(true);
        tool->setAutoExclusive(true);
    }
    m_pen->setChecked(true);
    m_pen->setIcon(icon(QStringLiteral("pen")));
    m_eraser->setIcon(icon(QStringLiteral("erase")));
    m_undo->setIcon(icon(QStringLiteral("undo")));
    m_clear->setIcon(icon(QStringLiteral("clear")));
    m_width->setObjectName(QStringLiteral("imagePenWidth"));
    m_width->setRange(0.5, 12);
    m_width->setDecimals(1);
    m_width->setSingleStep(0.5);
    m_width->setValue(2.5);
    m_width->setSuffix(tr(" px"));
    m_width->setAccessibleName(tr("Width of the pen, pixels of the image"));
    m_width->setToolTip(tr("Set the width of the pen, in pixels of the image"));
    m_mainTabs->setObjectName(QStringLiteral("imageCentre"));
    m_mainTabs->setChecked(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 0, 0, 0);
    row->setSpacing(2);
    for (QWidget* part : std::initializer_list<QWidget*>{m_pen, m_eraser, m_width, m_undo, m_clear})
        row->addWidget(part);
    row->addWidget(m_mainTabs, 1);
    row->addWidget(new HelpMark(tr("Drawing"), help, this));
    connect(m_width, &QDoubleSpinBox::valueChanged, this, &DrawPanel::setPen);
    connect(m_eraser, &QToolButton::toggled, this, &DrawPanel::setPen);
    connect(m_undo, &QToolButton::clicked, &canvas, &ImageCanvas::undoStroke);
    connect(m_clear, &QToolButton::clicked, &canvas, &ImageCanvas::clearStrokes);
    connect(m_mainTabs, &QCheckBox::toggled, this, &DrawPanel::centringChanged);
    setPen();
}

void DrawPanel::setPen()
{
    const bool erases = m_eraser->isChecked();
    m_canvas.setPen(m_width->value() * (erases ? 2 : 1), erases);
}

bool DrawPanel::centres() const { return m_mainTabs->isChecked(); }

void DrawPanel::setDrawn(bool any)
{
    m_undo->setEnabled(any);
    m_clear->setEnabled(any);
}

using namespace credence;

DisturbPanel::DisturbPanel(QWidget* parent)
    : QWidget(parent), m_target(new QComboBox(this)),
      m_another(toolButton(QStringLiteral("disturbAnother"), tr("Use another image of that class"), this)),
      m_newNoise(toolButton(QStringLiteral("disturbNewNoise"), tr("Generate new noise of the same strength"), this)),
      m_corruption(new QComboBox(this)), m_severity(new QSpinBox(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(6, 2, 4, 2);
    grid->setHorizontalSpacing(5);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    addSliders(grid);
    addCorruption(grid);

    m_newNoise->setIcon(icon(QStringLiteral("new-seed")));
    m_newNoise->setAccessibleName(tr("New noise"));
    connect(m_newNoise, &QToolButton::clicked, this, [this] {
        ++m_disturbance.noise_seed;
        if (m_disturbance.noise == 0 && m_disturbance.severity == 0) {   // starts with a visible effect
            m_disturbance.noise = 40;
            m_noise->setValue(40);
        }
        Q_EMIT changed(m_disturbance);
    });

    auto* into = new QLabel(tr("into"), this);
    m_target->setObjectName(QStringLiteral("disturbTarget"));
    m_target->setAccessibleName(tr("Target image of the morph"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_target->setMinimumContentsLength(8);
    into->setBuddy(m_target);
    connect(m_target, &QComboBox::activated, this, [this] { Q_EMIT targetWanted(targetClass(), false); });
    m_another->setIcon(icon(QStringLiteral("step")));
    m_another->setAccessibleName(tr("Another image of that class"));
    connect(m_another, &QToolButton::clicked, this, [this] { Q_EMIT targetWanted(targetClass(), true); });
    auto* reset = toolButton(QStringLiteral("disturbReset"), tr("Restore the original image"), this);
    reset->setText(tr("Reset"));
    reset->setAutoRaise(false);
    connect(reset, &QToolButton::clicked, this, &DisturbPanel::resetRequested);
    const int line = grid->rowCount();
    grid->addWidget(into, line, 0);
    auto* row = new QHBoxLayout;
    row->addWidget(m_target, 1);
    row->addWidget(m_another);
    row->addWidget(reset);
    grid->addLayout(row, line, 1, 1, 3);
}

void DisturbPanel::addSliders(QGridLayout* grid)
{
    const QString pixels    = tr(" px");
    const QString noiseHelp = tr(
        "<b>Noise</b><p>Adds N(0, sd²) to every pixel, then clips to [0, 255]; this is sd, in steps of 255. The dice "
        "button generates new noise of the same strength.</p>");
    m_rotate = addRow(grid, {QStringLiteral("disturbRotate"), tr("Rotate"),
                             tr("<b>Rotate</b><p>Counter-clockwise about the centre of the image, in degrees.</p>"),
                             -180, 180, 1, 1, tr(" °"), [](auto& d, auto v) { d.placement.degrees = v; }});
    m_scale  = addRow(grid, {QStringLiteral("disturbScale"), tr("Scale"),
                             tr("<b>Scale</b><p>Magnification about the centre; 1 is the image itself.</p>"), 0.4, 2,
                             0.02, 2, tr(" ×"), [](auto& d, auto v) { d.placement.scale = v; }});
    m_right  = addRow(grid, {QStringLiteral("disturbRight"), tr("Right"),
                             tr("<b>Shift right</b><p>In pixels; fractions are allowed.</p>"), -10, 10, 0.25, 2, pixels,
                             [](auto& d, auto v) { d.placement.right = v; }});
    m_down   = addRow(grid, {QStringLiteral("disturbDown"), tr("Down"),
                             tr("<b>Shift down</b><p>In pixels; fractions are allowed.</p>"), -10, 10, 0.25, 2, pixels,
                             [](auto& d, auto v) { d.placement.down = v; }});
    m_blur   = addRow(grid, {QStringLiteral("disturbBlur"), tr("Blur"),
                             tr("<b>Blur</b><p>Convolution with a Gaussian of this standard deviation, in "
                                  "pixels. The sum of all pixels is preserved.</p>"),
                             0, 6, 0.1, 1, pixels, [](auto& d, auto v) { d.blur = v; }});
    m_noise  = addRow(grid, {QStringLiteral("disturbNoise"), tr("Noise"), noiseHelp, 0, 200, 2, 0, QString(),
                             [](auto& d, auto v) { d.noise = v; }});
    grid->addWidget(m_newNoise, grid->rowCount() - 1, 3);
    m_morph = addRow(grid,
                     {QStringLiteral("disturbMorph"), tr("Morph"),
                      tr("<b>Morph</b><p>Morphs into another image, in percent. On a black background, pixel mass "
                         "moves: grains of equal mass are paired by optimal transport, so strokes bend instead of "
                         "fading. Photographs are blended. Above 50 % the class is that of the other image.</p>"),
                      0, 100, 1, 0, tr(" %"), [](auto& d, auto v) { d.morph = v / 100; }});
    NumberSlider::align({m_rotate, m_scale, m_right, m_down, m_blur, m_noise, m_morph});
}

void DisturbPanel::addCorruption(QGridLayout* grid)
{
    describeControl(m_corruption, QStringLiteral("disturbCorruption"), tr("Kind of corruption"),
                    tr("Corrupt the image, as in the view Corruptions"));
    m_corruption->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_corruption->setMinimumContentsLength(8);
    for (int kind = 0; kind < corruption_kinds; ++kind)
        m_corruption->addItem(toQString(title_of(static_cast<Corruption>(kind))));
    describeControl(m_severity, QStringLiteral("disturbSeverity"), tr("Severity of the corruption, 0 to 5"),
                    tr("Set the severity; 0 leaves the image as it is"));
    m_severity->setRange(0, corruption_severities);
    auto* label = new QLabel(tr("Corrupt"), this);
    label->setBuddy(m_corruption);
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    auto* row = new QHBoxLayout;
    row->addWidget(m_corruption, 1);
    row->addWidget(m_severity);
    grid->addLayout(row, line, 1);
    const auto help = [] {
        return tr("<b>Corrupt</b><p>One of 15 common corruptions at a severity from 0 (none) to 5, applied after all "
                  "other perturbations. The dice button next to <i>Noise</i> also changes the random numbers of the "
                  "corruption. The view <i>Corruptions</i> scores the whole test set. Kinds: Hendrycks and "
                  "Dietterich 2019; the implementations and severities are our own.</p>");
    };
    grid->addWidget(new HelpMark(tr("Corrupt"), help, {m_corruption, m_severity}, this), line, 2);
    connect(m_corruption, &QComboBox::activated, this, [this](int kind) {
        m_disturbance.corruption = static_cast<Corruption>(kind);
        if (m_disturbance.severity == 0) {   // starts with a visible effect
            const QSignalBlocker quiet(m_severity);
            m_severity->setValue(m_disturbance.severity = 3);
        }
        Q_EMIT changed(m_disturbance);
    });
    connect(m_severity, &QSpinBox::valueChanged, this, [this](int severity) {
        m_disturbance.severity = severity;
        Q_EMIT changed(m_disturbance);
    });
}

NumberSlider* DisturbPanel::addRow(QGridLayout* grid, const RowSpec& spec)
{
    auto* made  = new NumberSlider({.name     = spec.name,
                                    .title    = spec.title,
                                    .low      = spec.low,
                                    .high     = spec.high,
                                    .step     = spec.step,
                                    .decimals = spec.decimals,
                                    .unit     = spec.unit},
                                   this);
    auto* label = new QLabel(spec.title, this);
    label->setBuddy(made->box());
    const int line = grid->rowCount();
    grid->addWidget(label, line, 0);
    grid->addWidget(made, line, 1);
    const QString help = spec.help
                         + tr("<p>Order: morph; then rotation, scale and shift in one step (bilinear); then blur; then "
                              "noise; then the corruption. A perturbed image keeps its class.</p>");
    grid->addWidget(new HelpMark(
                        spec.title, [help] { return help; }, {made}, this),
                    line, 2);
    connect(made, &NumberSlider::valueChanged, this, [this, set = spec.set](double value) {
        set(m_disturbance, value);
        Q_EMIT changed(m_disturbance);
    });
    return made;
}

void DisturbPanel::setKind(const QStringList& classes, double largestShift)
{
    const QSignalBlocker quiet(m_target);
    m_target->clear();
    for (int k = 0; k < classes.size(); ++k)
        m_target->addItem(tr("class %1").arg(classes[k]), k);
    m_target->addItem(tr("the next selected image"), nextChosen);
    for (auto* shift : {m_right, m_down})
        shift->setRange(-largestShift, largestShift);
    setDisturbance({});
}

void DisturbPanel::setDisturbance(const Disturbance& disturbance)
{
    m_disturbance = disturbance;
    m_rotate->setValue(disturbance.placement.degrees);
    m_scale->setValue(disturbance.placement.scale);
    m_right->setValue(disturbance.placement.right);
    m_down->setValue(disturbance.placement.down);
    m_blur->setValue(disturbance.blur);
    m_noise->setValue(disturbance.noise);
    m_morph->setValue(100 * disturbance.morph);
    const QSignalBlocker quiet(m_severity);
    m_severity->setValue(disturbance.severity);
    m_corruption->setCurrentIndex(static_cast<int>(disturbance.corruption));
}

int DisturbPanel::targetClass() const { return m_target->currentIndex() < 0 ? 0 : m_target->currentData().toInt(); }

void DisturbPanel::setTargetWords(const QString& words) { m_target->setToolTip(words); }
