// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandit/bandit_page.h"

#include "parts/form_controls.h"
#include "work/text.h"

#include "bandits/bandit_study.h"
#include "foundation/number_text.h"
#include "widgets/symbols.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

using namespace credence;

namespace {

/// Default length of a course in this world.
int usualInteractions(WorldKind world)
{
    const auto& all  = bandit_presets();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [world](const BanditPreset& preset) { return preset.study.world.kind == world; });
    return static_cast<int>(found == all.end() ? CourseOptions{}.steps : found->study.course.steps);
}

}   // namespace

BanditSettings::BanditSettings(QListWidget* agents, QWidget* parent)
    : SettingLines(parent), m_problem(add(QStringLiteral("banditProblem"), tr("Problem"))),
      m_agentsCard(add(QStringLiteral("banditAgents"), tr("Agents"))),
      m_course(add(QStringLiteral("banditCourse"), tr("Course"))),
      m_repetitions(add(QStringLiteral("banditRepetitions"), tr("Repetitions"))), m_agents(agents)
{
    buildProblem();
    buildAgents();
    buildCourse();
    buildRepetitions();
    describe();
    for (const auto signal :
         {&BanditSettings::courseChanged, &BanditSettings::agentsChanged, &BanditSettings::seedsChanged})
        connect(this, signal, this, &BanditSettings::describe);
    connect(this, &BanditSettings::speedChanged, this, &BanditSettings::describe);
    connect(agents, &QListWidget::itemChanged, this, &BanditSettings::describe);
}

void BanditSettings::buildProblem()
{
    m_world = addChoice(m_problem, QStringLiteral("banditWorld"), tr("World"),
                        tr("Select the world: synthetic points in the plane, or the mushrooms of the UCI table"));
    m_world->addItem(tr("synthetic plane"), static_cast<int>(WorldKind::plane));
    m_world->addItem(tr("mushrooms"), static_cast<int>(WorldKind::mushrooms));
    m_shape = addChoice(m_problem, QStringLiteral("banditShape"), tr("Shape"),
                        tr("Select the arrangement of the points: one class is edible, the other poisonous"));
    m_shape->addItem(tr("two moons"), static_cast<int>(PlaneShape::two_moons));
    m_shape->addItem(tr("circles"), static_cast<int>(PlaneShape::circles));
    m_shape->addItem(tr("four squares"), static_cast<int>(PlaneShape::xor_squares));
    m_file = addButton(m_problem, tr("Ch&oose file…"), QStringLiteral("banditFile"), {});
    m_file->hide();
    setFile({});
    connect(m_file, &QPushButton::clicked, this, &BanditSettings::fileRequested);
    connect(m_world, &QComboBox::currentIndexChanged, this, &BanditSettings::worldChanged);
    connect(m_shape, &QComboBox::currentIndexChanged, this, &BanditSettings::courseChanged);
}

void BanditSettings::buildAgents()
{
    describeControl(m_agents, QStringLiteral("banditAgents"), tr("Agents"),
                    tr("Run the ticked agents side by side with the same seed"));
    m_agents->setFrameShape(QFrame::NoFrame);
    m_agents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);   // the tooltip has the whole title
    m_agentsCard.rows().addWidget(m_agents);
    m_epsilon = new QDoubleSpinBox(this);
    describeBox(m_epsilon, QStringLiteral("banditEpsilon"), tr("ε of your own greedy agent"),
                tr("Set the fraction of random actions of your own greedy agent, listed next to those with 0, 1 "
                   "and 5 %"));
    m_epsilon->setDecimals(1);
    m_epsilon->setRange(0, 100);
    m_epsilon->setSingleStep(1);
    m_epsilon->setValue(10);
    m_epsilon->setSuffix(tr(" %"));
    m_agentsCard.addField(tr("Own ε"), m_epsilon);
    connect(m_epsilon, &QDoubleSpinBox::valueChanged, this, &BanditSettings::agentsChanged);
}

void BanditSettings::buildCourse()
{
    m_interactions = addCount(m_course, QStringLiteral("banditInteractions"), tr("Interactions"),
                              tr("Set the length of a course: the number of mushrooms"),
                              usualInteractions(WorldKind::plane), 20, 100'000);
    m_seed         = addCount(m_course, QStringLiteral("banditSeed"), tr("Seed"),
                              tr("Set the seed of all random numbers. Agents with the same seed see the same mushrooms "
                                         "and rewards"),
                              1, 0, 999'999);
    m_speed        = addChoice(m_course, QStringLiteral("banditSpeed"), tr("Speed"),
                               tr("Set the number of interactions per second during play"));
    m_speed->addItem(tr("full speed"), 0);
    for (const int rate : {1, 5, 25, 100})
        m_speed->addItem(tr("%1 per second").arg(rate), rate);
    connect(addButton(m_course, tr("Restart"), QStringLiteral("banditRestart"),
                      tr("Start over with the same seed (Ctrl+R)")),
            &QPushButton::clicked, this, &BanditSettings::restartRequested);
    for (auto* box : {m_seed, m_interactions})
        connect(box, &QSpinBox::valueChanged, this, &BanditSettings::courseChanged);
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT speedChanged(perSecond()); });
}

void BanditSettings::buildRepetitions()
{
    m_seeds = addCount(m_repetitions, QStringLiteral("banditSeeds"), tr("Seeds"),
                       tr("Set the number of courses per agent for All seeds: with this seed, the next one, …"), 5, 1,
                       100);
    connect(addButton(m_repetitions, tr("All see&ds"), QStringLiteral("banditAllSeeds"),
                      tr("Run every ticked agent with every seed and draw mean and band; finished courses are "
                         "kept, even after Cancel")),
            &QPushButton::clicked, this, &BanditSettings::allSeedsRequested);
    connect(m_seeds, &QSpinBox::valueChanged, this, &BanditSettings::seedsChanged);
}

void BanditSettings::describe()
{
    m_problem.line().describe(world().kind == WorldKind::plane ? tr("Synthetic plane · %1").arg(m_shape->currentText())
                                                               : tr("Mushrooms of the UCI table"),
                              Symbol::table);
    QStringList ticked;
    int rows = 0;
    for (int row = 0; row < m_agents->count(); ++row) {
        rows += m_agents->sizeHintForRow(row);
        if (m_agents->item(row)->checkState() == Qt::Checked)
            ticked += m_agents->item(row)->text();
    }
    m_agents->setFixedHeight(rows + 2 * m_agents->frameWidth());   // the panel scrolls, not the list
    m_agentsCard.line().describe(ticked.isEmpty() ? tr("None is ticked") : ticked.join(QStringLiteral(" · ")),
                                 Symbol::curves);
    m_course.line().describe(
        tr("%1 interactions · seed %2 · %3")
            .arg(toQString(grouped_text(interactions())), QString::number(seed()), m_speed->currentText()),
        Symbol::sliders);
    m_repetitions.line().describe(seeds() == 1 ? tr("One course per agent, seed %1").arg(seed())
                                               : tr("%1 courses per agent, from seed %2").arg(seeds()).arg(seed()),
                                  Symbol::intervals);
}

WorldOptions BanditSettings::world() const
{
    const auto kind = static_cast<WorldKind>(m_world->currentData().toInt());
    WorldOptions out{.kind = kind};
    if (kind == WorldKind::mushrooms)
        out.file = m_path.toStdString();
    else
        out.shape = static_cast<PlaneShape>(m_shape->currentData().toInt());
    return out;
}

void BanditSettings::setFile(const QString& file)
{
    m_path = file;
    m_file->setToolTip(m_path.isEmpty()
                           ? tr("Select agaricus-lepiota.data of the UCI Mushroom data if it is not in a data folder")
                           : m_path);
    if (!file.isEmpty())
        Q_EMIT courseChanged();
}

std::uint64_t BanditSettings::seed() const { return static_cast<std::uint64_t>(m_seed->value()); }
int BanditSettings::seeds() const { return m_seeds->value(); }
long BanditSettings::interactions() const { return m_interactions->value(); }
double BanditSettings::ownEpsilon() const { return m_epsilon->value() / 100; }
int BanditSettings::perSecond() const { return m_speed->currentData().toInt(); }

void BanditSettings::worldChanged()
{
    const auto kind = world().kind;
    m_shape->parentWidget()->setVisible(kind == WorldKind::plane);
    m_file->setVisible(kind == WorldKind::mushrooms);
    {
        const QSignalBlocker interactions(m_interactions);
        m_interactions->setValue(usualInteractions(kind));
    }
    Q_EMIT courseChanged();
}

QPushButton* BanditSettings::addButton(SettingCard& card, const QString& text, const QString& name, const QString& tip)
{
    auto* made = new QPushButton(text, card.body());
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAutoDefault(false);
    card.rows().addWidget(made, 0, Qt::AlignLeft);
    return made;
}

QSpinBox* BanditSettings::addCount(SettingCard& card, const QString& name, const QString& label, const QString& tip,
                                   int value, int low, int high)
{
    auto* box = countBox(name, label, tip, value, low, high, this);
    card.addField(label, box);
    return box;
}

QComboBox* BanditSettings::addChoice(SettingCard& card, const QString& name, const QString& label, const QString& tip)
{
    auto* box = new QComboBox(this);
    describeControl(box, name, label, tip);
    card.addField(label, box);
    return box;
}
