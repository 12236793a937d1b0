// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_page.h"

#include "parts/buttons.h"
#include "parts/form_controls.h"
#include "work/text.h"

#include "foundation/error.h"
#include "study/fields.h"
#include "study/names.h"
#include "study/study_words.h"
#include "sweeps/sweep_charts.h"
#include "widgets/symbols.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

using namespace credence;

namespace {

constexpr int mostSweepSeeds = 100;

/// "Training › Steps = 300; …"
QString wordsOfSettings(const SweepSettings& settings)
{
    QStringList words;
    for (const auto& [path, value] : settings)
        words += toQString(path == "seed" ? path : field(path).label) + QStringLiteral(" = ")
                 + toQString(value_text(value));
    return words.join(QStringLiteral(", "));
}

SweepAxis axisOfSeeds(const std::vector<long>& seeds)
{
    SweepAxis axis{.name = "seed", .values = {}};
    for (const long seed : seeds)
        axis.values.push_back({.label  = std::to_string(seed),
                               .set    = {{"seed", FieldValue(seed)}},
                               .base   = {},
                               .number = static_cast<double>(seed)});
    return axis;
}

/// "Learning rate η: 0.001, 0.01, 0.1", at most with its first and last values.
QString wordsOfAxis(const SweepAxis& axis)
{
    constexpr std::size_t most = 5;
    const auto n               = axis.values.size();
    QStringList values;
    for (std::size_t i = 0; i < n; ++i)
        if (n <= most || i + 3 < most || i + 1 == n)
            values += toQString(axis.values[i].label);
        else if (i + 3 == most)
            values += QStringLiteral("…");
    return QStringLiteral("%1: %2").arg(toQString(axis.title()), values.join(QStringLiteral(", ")));
}

/// Empty: the axis also changes another setting.
std::vector<long> seedsOfAxis(const SweepAxis& axis)
{
    std::vector<long> seeds;
    for (const auto& value : axis.values)
        if (const auto* seed = value.set.size() == 1 ? std::get_if<long>(&value.set.front().second) : nullptr;
            seed && !value.base && value.set.front().first == "seed")
            seeds.push_back(*seed);
    return seeds.size() == axis.values.size() ? seeds : std::vector<long>();
}

}   // namespace

SweepForm::SweepForm(QWidget* parent)
    : SettingLines(parent), m_baseCard(add(QStringLiteral("sweepBase"), tr("Base"))),
      m_axesCard(add(QStringLiteral("sweepAxes"), tr("Varied settings"))),
      m_seedsCard(add(QStringLiteral("sweepSeeds"), tr("Seeds"))),
      m_savedCard(add(QStringLiteral("sweepSaved"), tr("Saved results"))), m_base(new QLabel(this)),
      m_note(new QLabel(this)), m_plan(new QLabel(this)), m_list(new QVBoxLayout), m_count(new QSpinBox(this)),
      m_keep(new QCheckBox(tr("&Keep the runs"), this)), m_quick(new QCheckBox(tr("&Quick version"), this)),
      m_folder(new QToolButton(this)), m_mistake(new MistakeLabel(QStringLiteral("sweepMistake"), this))
{
    for (auto* label : {m_base, m_note, m_plan}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    buildBase();
    buildAxes();
    buildSeeds();
    buildSaved();
    buildPlan();
    open(&m_axesCard);
}

void SweepForm::buildBase()
{
    describeControl(m_base, QStringLiteral("sweepBase"), tr("Base of the sweep"),
                    tr("Select the Study that every cell starts from; the varied settings are changed in it"));
    m_note->setObjectName(QStringLiteral("sweepNote"));
    QFont bold = m_base->font();
    bold.setBold(true);
    m_base->setFont(bold);
    auto* take = new QPushButton(tr("Use &current Study"), this);
    describeControl(take, QStringLiteral("sweepTakeStudy"), take->text().remove(QLatin1Char('&')),
                    tr("Use the current Study as the base; the varied settings stay"));
    take->setAutoDefault(false);
    connect(take, &QPushButton::clicked, this, &SweepForm::studyWanted);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    for (const auto& sweep : sweeps()) {
        auto* action = menu->addAction(toQString(shown_title(sweep)), this, [this, &sweep] { setSweep(sweep); });
        action->setObjectName("sweep/" + toQString(sweep.id));
        action->setToolTip(toQString(sweep.note));
    }
    menu->addSeparator();
    menu->addAction(tr("&Open…"), this, &SweepForm::openRequested)->setObjectName(QStringLiteral("sweepOpen"));
    menu->addAction(tr("Save &as…"), this, &SweepForm::saveRequested)->setObjectName(QStringLiteral("sweepSave"));
    auto* files = new MenuButton(tr("Sweeps"), menu, this);
    describeControl(files, QStringLiteral("sweepFiles"), tr("Sweeps"),
                    tr("Load a built-in sweep, open a sweep file or save this sweep"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(3);
    buttons->addWidget(take, 1);
    buttons->addWidget(files);
    auto& rows = m_baseCard.rows();
    rows.addWidget(m_base);
    rows.addLayout(buttons);
    rows.addWidget(m_note);
}

void SweepForm::buildAxes()
{
    auto* another = new QPushButton(tr("Vary &another setting"), this);
    describeControl(another, QStringLiteral("sweepAdd"), tr("Vary another setting"),
                    tr("Vary one more setting, with every value of it for every value of the others"));
    another->setAutoDefault(false);
    connect(another, &QPushButton::clicked, this, [this] {
        addRow()->takeFocus();
        notify();
    });
    m_list->setSpacing(4);
    m_axesCard.rows().addLayout(m_list);
    m_axesCard.rows().addWidget(another, 0, Qt::AlignLeft);
}

void SweepForm::buildSeeds()
{
    describeBox(
        m_count, QStringLiteral("sweepSeeds"), tr("Seeds"),
        tr("Set how many seeds each combination is run with. Means and standard deviations are over the seeds, and "
           "comparisons are paired by seed; a single seed does not show random variation"));
    m_count->setRange(1, mostSweepSeeds);
    connect(m_count, &QSpinBox::valueChanged, this, &SweepForm::countSeeds);
    m_seedsCard.addField(tr("Number"), m_count);
}

void SweepForm::buildSaved()
{
    describeControl(
        m_keep, QStringLiteral("sweepKeep"), tr("Keep the runs"),
        tr("Save each cell's run with its weights: double-click a cell to open it, and draw figures of all. This "
           "takes disk space; scores are always saved"));
    describeControl(m_quick, QStringLiteral("sweepQuick"), tr("Quick version"),
                    tr("Use the settings that the sweep file gives for a quick version"));
    m_quick->hide();
    for (auto* box : {m_keep, m_quick}) {
        connect(box, &QCheckBox::toggled, this, &SweepForm::notify);
        m_savedCard.rows().addWidget(box);
    }
}

void SweepForm::buildPlan()
{
    m_plan->setObjectName(QStringLiteral("sweepPlan"));
    describeControl(m_folder, QStringLiteral("sweepFolder"), tr("Folder of the cells"), {});
    m_folder->setText(tr("Folder"));
    m_folder->setAutoRaise(true);
    connect(m_folder, &QToolButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_folderPath)); });
    auto* part = new QWidget(this);
    auto* plan = new QHBoxLayout(part);
    plan->setContentsMargins(8, 8, 0, 0);
    plan->addWidget(m_plan, 1);
    plan->addWidget(m_folder, 0, Qt::AlignTop);
    addBelow(part);
    addBelow(m_mistake);
}

void SweepForm::setSweep(const Sweep& sweep)
{
    const QScopedValueRollback filling(m_filling, true);
    while (!m_rows.empty())
        removeRow(m_rows.back());
    m_sweep   = sweep;
    m_seeds   = {static_cast<long>(sweep.base.study.seed)};
    m_seedsAt = sweep.axes.size();
    for (std::size_t a = 0; a < sweep.axes.size(); ++a) {
        const auto& axis = sweep.axes[a];
        if (auto seeds = axis.is_seed() ? seedsOfAxis(axis) : std::vector<long>(); !seeds.empty()) {
            m_seeds   = std::move(seeds);
            m_seedsAt = a;
        } else {
            addRow()->setAxis(axis);
        }
    }
    m_count->setValue(static_cast<int>(m_seeds.size()));
    m_keep->setChecked(sweep.keep.archive);
    m_quick->setChecked(false);
    m_quick->setVisible(!sweep.quick.empty() || !sweep.quick_axes.empty());
    m_filling = false;
    Q_EMIT replaced();
    notify();
}

void SweepForm::setBase(const Study& study)
{
    m_sweep.base = {.name = {}, .is_preset = false, .study = study};
    m_seeds      = {static_cast<long>(study.seed)};
    {
        const QScopedValueRollback filling(m_filling, true);
        for (auto* row : m_rows)
            row->setBase(study);
    }
    countSeeds(m_count->value());
}

SweepAxisRow* SweepForm::addRow()
{
    auto* row = new SweepAxisRow(m_sweep.base.study, m_axesCard.body());
    if (!m_filling && m_seedsAt >= m_rows.size())
        ++m_seedsAt;   // seeds stay last
    m_rows.push_back(row);
    m_list->addWidget(row);
    row->show();   // shown now, so that it can take the focus
    connect(row, &SweepAxisRow::changed, this, &SweepForm::notify);
    connect(row, &SweepAxisRow::removed, this, [this, row] {
        removeRow(row);
        notify();
    });
    return row;
}

void SweepForm::removeRow(SweepAxisRow* row)
{
    std::erase(m_rows, row);
    row->disconnect(this);
    row->hide();
    row->deleteLater();   // deferred, since its own button may have triggered this
}

void SweepForm::countSeeds(int count)
{
    if (m_filling)
        return;
    m_seeds.resize(static_cast<std::size_t>(count));
    std::iota(m_seeds.begin(), m_seeds.end(), m_seeds.front());
    notify();
}

void SweepForm::notify()
{
    if (m_filling)
        return;
    for (auto* row : m_rows) {   // a repeated setting is marked at its second row
        const auto first = std::find_if(m_rows.begin(), m_rows.end(),
                                        [&](const auto* other) { return other->path() == row->path(); });
        if (*first != row && row->axis())
            row->setMistake(tr("This setting is already varied above, expected another one."));
        else if (row->axis())
            row->setMistake({});
    }
    m_mistake->setMistake({});
    m_axesCard.line().warn(mistake());
    showWords();
    Q_EMIT changed();
}

void SweepForm::showWords()
{
    m_base->setText(m_sweep.base.is_preset || m_sweep.base.name.empty()
                        ? toQString(m_sweep.base.study.name)
                        : tr("%1 (%2)").arg(toQString(m_sweep.base.study.name), toQString(m_sweep.base.name)));
    QStringList words;
    if (!m_sweep.title.empty())
        words += toQString(m_sweep.title) + QLatin1Char('.');
    if (!m_sweep.note.empty())
        words += toQString(m_sweep.note);
    if (!m_sweep.set.empty())
        words += tr("Changed in every cell: %1.").arg(wordsOfSettings(m_sweep.set));
    if (!m_sweep.after.empty())
        words += tr("Applied after the varied settings: %1.").arg(wordsOfSettings(m_sweep.after));
    if (m_sweep.choose)
        words += tr("The best %1 is selected by %2 on the validation set.")
                     .arg(toQString(m_sweep.choose->axis), toQString(m_sweep.choose->by));
    m_note->setText(words.join(QLatin1Char('\n')));
    m_note->setVisible(!words.isEmpty());
    const Study& study = m_sweep.base.study;
    m_baseCard.line().describe(toQString(study_sentence(study, "data") + " · " + family_title(study.posterior.family)),
                               Symbol::network);
    QStringList axes;
    for (const auto* row : m_rows)
        if (const auto axis = row->axis())
            axes += wordsOfAxis(*axis);
    m_axesCard.line().describe(axes.isEmpty() ? tr("No setting is varied") : axes.join(QStringLiteral(" · ")),
                               Symbol::sliders);
    const bool inLine = m_seeds.back() - m_seeds.front() + 1 == static_cast<long>(m_seeds.size());
    QStringList seeds;
    for (const long seed : m_seeds)
        seeds += QString::number(seed);
    m_seedsCard.line().describe(
        m_seeds.size() == 1 ? tr("Seed %1 only").arg(seeds.front())
        : inLine ? tr("%1 seeds, from %2 to %3").arg(QString::number(seeds.size()), seeds.front(), seeds.back())
                 : tr("Seeds %1").arg(seeds.join(QStringLiteral(", "))),
        Symbol::samples);
    QString saved = m_keep->isChecked() ? tr("Scores and runs") : tr("Scores only");
    if (isQuick())
        saved += tr(" · quick version");
    m_savedCard.line().describe(saved, Symbol::table);
}

bool SweepForm::isQuick() const { return m_quick->isChecked() && !m_quick->isHidden(); }

QString SweepForm::mistake() const
{
    for (const auto* row : m_rows)
        if (!row->mistake().isEmpty())
            return row->mistake();
    return m_mistake->text();
}

void SweepForm::setMistake(const QString& sentence) { m_mistake->setMistake(sentence); }

void SweepForm::showPlan(const SweepSnapshot& snapshot, std::optional<double> secondsLeft, bool running)
{
    const auto& results = snapshot.results;
    QStringList factors;
    for (const auto& axis : results.sweep.axes)
        if (const auto n = axis.values.size(); axis.is_seed())
            factors += n == 1 ? tr("1 seed") : tr("%1 seeds").arg(n);
        else
            factors += QString::number(n);
    QString words = results.cells.size() == 1 ? tr("1 cell") : tr("%1 cells").arg(toQString(results.cells.size()));
    if (factors.size() > 1)
        words += QStringLiteral(" (%1)").arg(factors.join(QStringLiteral(" × ")));
    words += QStringLiteral(", ") + toQString(sweep_state_text(results));
    if (running || results.n_done() == results.cells.size())
        words += QLatin1Char('.');
    else
        words += secondsLeft ? tr("; about %1 remaining.").arg(durationText(*secondsLeft))
                             : tr(". A time estimate appears after the first run.");
    m_plan->setText(words);
}

void SweepForm::clearPlan() { m_plan->clear(); }

void SweepForm::setFolder(const QString& folder)
{
    m_folderPath = folder;
    m_folder->setEnabled(QDir(folder).exists());
    m_folder->setToolTip(tr("Open the folder of cells, tables and figures: %1").arg(QDir::toNativeSeparators(folder)));
}

/// Returns the sweep as entered in the form, without file entries for removed axes.
Sweep SweepForm::written() const
{
    Sweep sweep = m_sweep;
    sweep.axes.clear();
    for (const auto* row : m_rows)
        if (auto axis = row->axis())
            sweep.axes.push_back(std::move(*axis));
    if (m_seeds.size() > 1 || m_seeds.front() != static_cast<long>(sweep.base.study.seed) || sweep.axes.empty())
        sweep.axes.insert(sweep.axes.begin() + static_cast<std::ptrdiff_t>(std::min(m_seedsAt, sweep.axes.size())),
                          axisOfSeeds(m_seeds));
    sweep.keep.archive = m_keep->isChecked();
    if (sweep.axes != m_sweep.axes) {   // a different sweep than the one with this name
        const auto there = [&](const std::string& name) {
            return std::any_of(sweep.axes.begin(), sweep.axes.end(),
                               [&](const SweepAxis& axis) { return axis.name == name; });
        };
        sweep.id.clear();
        sweep.title.clear();
        sweep.note.clear();
        std::erase_if(sweep.quick_axes, [&](const SweepAxis& axis) { return !there(axis.name); });
        if (sweep.choose && !there(sweep.choose->axis))
            sweep.choose.reset();
        if (!sweep.replicate_axis())
            sweep.replicates = "seed";
    }
    return sweep;
}

std::optional<Sweep> SweepForm::sweep() const
{
    if (!mistake().isEmpty())
        return {};
    Sweep sweep = written();
    return isQuick() ? quick_version(sweep) : sweep;
}
