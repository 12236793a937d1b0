// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/workbench.h"

#include "parts/appearance.h"
#include "parts/area_splits.h"
#include "parts/icons.h"
#include "parts/quiet_parts.h"
#include "parts/rail.h"
#include "parts/view_area.h"
#include "parts/window_part.h"
#include "parts/workspace_stack.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace {

constexpr int usualLesson = 320, usualStudy = 264, usualInspector = 304, usualDrawer = 220;   // pixels at 100 % text
constexpr double leastStage        = 0.55;   ///< of the width; in a low window also of the height
constexpr int lowColumn            = 520;    ///< pixels at 100 % text, for stage and drawer together
constexpr double leastNextToLesson = 0.25;   ///< of the width, for the stage
constexpr double greatestSide      = 0.4;    ///< of the width
constexpr int narrowWindow         = 1100;   ///< below: the rails have pictures only; larger text needs more

class Hairline : public QWidget {
public:
    explicit Hairline(QWidget* parent) : QWidget(parent) { setFixedWidth(1); }

private:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), hairlineColour(palette())); }
};

QVBoxLayout* columnOf(QWidget* side)
{
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

int usualSize(int pixels) { return pixels * 100 / std::max(1, withFont(100)); }

QToolButton* flatButton(const QString& name, const QString& text, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setText(text);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

}   // namespace

Workbench::Workbench(QWidget* middle, QWidget* parent)
    : QWidget(parent), m_middle(middle), m_rail(new Rail(QStringLiteral("workspace"), tr("Workspaces"), this)),
      m_split(new HairlineSplitter(Qt::Horizontal, this)), m_column(new HairlineSplitter(Qt::Vertical, m_split)),
      m_stage(new HairlineSplitter(Qt::Vertical, m_column)), m_lessonSide(new QWidget(m_split)),
      m_studySide(new QWidget(m_split)), m_inspectorSide(new QWidget(m_split)), m_drawerBar(new QWidget(this)),
      m_drawer(new QStackedWidget(m_column))
{
    columnOf(m_lessonSide);
    m_studyStrip = new Rail(QStringLiteral("studyStrip"), tr("Parts of the Study"), m_studySide);
    m_studyBody  = new QWidget(m_studySide);
    columnOf(m_studyBody);
    columnOf(m_studySide);
    m_studySide->layout()->addWidget(m_studyStrip);
    m_studySide->layout()->addWidget(m_studyBody);

    m_inspectorStrip = new Rail(QStringLiteral("inspectorStrip"), tr("Parts of the inspector"), m_inspectorSide);
    m_inspectorBody  = new QWidget(m_inspectorSide);
    m_inspector      = new HairlineSplitter(Qt::Vertical, m_inspectorBody);
    auto* close      = flatButton(QStringLiteral("closeInspector"), tr("Inspector"), m_inspectorBody);
    close->setIcon(icon(QStringLiteral("fold-right")));
    close->setToolTip(tr("Hide the inspector"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, [this] {
        m_state.inspector = false;
        m_state.inspected = true;
        layOut();
    });
    auto* body = columnOf(m_inspectorBody);
    body->addWidget(close);
    body->addWidget(m_inspector, 1);
    body->addStretch(0);
    columnOf(m_inspectorSide);
    m_inspectorSide->layout()->addWidget(m_inspectorStrip);
    m_inspectorSide->layout()->addWidget(m_inspectorBody);

    m_quietStrip  = new QuietParts(m_inspectorStrip, this);
    m_quietDrawer = new QuietParts(m_drawerBar, this);
    m_stage->addWidget(m_middle);
    m_column->addWidget(m_stage);
    m_column->addWidget(m_drawer);
    m_column->setStretchFactor(0, 1);
    m_column->setStretchFactor(1, 0);
    auto* middleColumn = new QWidget(this);
    m_pages            = new WorkspaceStack(middleColumn, m_split);
    connect(m_pages, &WorkspaceStack::shown, this, &Workbench::layOut);
    auto* stack = columnOf(middleColumn);
    stack->addWidget(m_column, 1);
    stack->addWidget(m_drawerBar);
    auto* bar = new QHBoxLayout(m_drawerBar);
    bar->setContentsMargins(8, 2, 8, 2);
    bar->addStretch(1);
    for (auto* each : {m_lessonSide, m_studySide, static_cast<QWidget*>(m_pages), m_inspectorSide})
        m_split->addWidget(each);
    m_split->setStretchFactor(2, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_rail);
    row->addWidget(new Hairline(this));
    row->addWidget(m_split, 1);
    for (auto* splitter : {m_split, m_column, m_inspector})
        connect(splitter, &QSplitter::splitterMoved, this, &Workbench::rememberSizes);
    m_inspectAgain.setSingleShot(true);
    m_inspectAgain.setInterval(20);   // milliseconds
    connect(&m_inspectAgain, &QTimer::timeout, this, &Workbench::inspect);
}

Workbench::~Workbench() = default;

QSize Workbench::minimumSizeHint() const
{
    const QSize chrome = window()->frameGeometry().size() - size();
    return QWidget::minimumSizeHint().boundedTo(screen()->availableSize() - chrome.expandedTo({0, 0}));
}

WindowPart* Workbench::add(const QString& name, const QString& title, const QString& icon, QWidget* content,
                           Place place)
{
    auto* part       = new WindowPart(name, title, content);
    const bool first = std::none_of(m_parts.begin(), m_parts.end(),
                                    [&](const WindowPart* one) { return home(*one) == place; });
    m_home.emplace(part, place);
    m_parts.push_back(part);
    connect(part, &WindowPart::openRequested, this, [this, part](bool open) { setOpen(*part, open); });
    connect(part, &WindowPart::windowRequested, this, [this, part] { setWindow(*part, true); });
    if (place == Place::inspector) {
        QString word = title.section(QLatin1Char(' '), -1);
        word.front() = word.front().toUpper();
        auto* entry  = m_inspectorStrip->add(name, word, icon, tr("Show %1").arg(title));
        if (!first)
            m_quietStrip->add(entry);
    } else if (place == Place::drawer) {
        auto* space  = new QWidget(m_drawerBar);   // keeps the space of the button
        auto* button = flatButton("drawer/" + name, title, space);
        columnOf(space)->addWidget(button);
        if (!first)
            m_quietDrawer->add(button);
        button->setCheckable(true);
        button->setToolTip(tr("Show or hide %1 below the charts").arg(title));
        connect(button, &QToolButton::clicked, this, [this, part](bool open) { setOpen(*part, open); });
        auto* row = static_cast<QHBoxLayout*>(m_drawerBar->layout());
        row->insertWidget(row->count() - 1, space);
        m_drawerButtons.emplace(part, button);
    }
    placePart(*part);
    return part;
}

WindowPart* Workbench::part(const QString& name) const
{
    const auto found = std::find_if(m_parts.begin(), m_parts.end(),
                                    [&](const WindowPart* one) { return one->objectName() == name; });
    return found == m_parts.end() ? nullptr : *found;
}

/// Connects objects that depend on all parts, and stores the initial arrangement.
void Workbench::arrange()
{
    connect(m_inspectorStrip, &Rail::chosen, this, [this](const QString& name) { setOpen(*part(name), true); });
    m_first = state();
    layOut();
}

void Workbench::fold(const QStringList& parts) { m_state.folded = parts; }

bool Workbench::onStage(const WindowPart& part) const
{
    return m_alone == &part || (m_onStage.contains(part.objectName()) && !m_aside);
}

bool Workbench::isOpen(const WindowPart& part) const
{
    if (m_windows.count(&part) > 0)
        return true;
    if (m_pages->page() && home(part) != Place::lesson)
        return false;
    if (m_alone || onStage(part))
        return onStage(part) && (!m_alone || m_alone == &part);
    switch (home(part)) {
    case Place::lesson: return m_state.lesson;
    case Place::study: return open().study;
    case Place::inspector: return open().inspector && !m_state.folded.contains(part.objectName());
    case Place::drawer: break;
    }
    return m_state.drawer && m_state.front == part.objectName();
}

void Workbench::setOpen(WindowPart& part, bool open)
{
    if (open && home(part) != Place::lesson)
        m_pages->showStage();
    if (m_alone && open && m_alone != &part)
        m_alone = nullptr;
    if (m_windows.count(&part) > 0) {
        if (open)
            return part.window()->raise();
        setWindow(part, false);
    }
    changeState(part, open);
    layOut();
}

void Workbench::changeState(WindowPart& part, bool open)
{
    const QString name = part.objectName();
    switch (home(part)) {
    case Place::lesson:
        m_state.lesson = open;
        if (open) {
            m_state.study     = m_state.study && fitsNextToLesson(Place::study);
            m_state.inspector = m_state.inspector && fitsNextToLesson(Place::inspector);
        }
        break;
    case Place::study:
        if (open) {
            m_state.studyLast = m_state.studyAsked = true;
            m_state.inspector                      = m_state.inspector && bothFit();
        }
        m_state.study = open;
        break;
    case Place::inspector:
        m_state.folded.removeAll(name);
        if (!open) {
            m_state.folded += name;
            break;
        }
        openInspector();
        break;
    case Place::drawer:
        m_state.drawer = open || (m_state.drawer && m_state.front != name);
        if (open)
            m_state.front = name;
        break;
    }
}

void Workbench::openInspector()
{
    m_state.study     = m_state.study && bothFit();
    m_state.inspected = m_state.inspector = true;
    m_state.studyLast                     = false;
}

void Workbench::endAlone(const QWidget& inside)
{
    const bool shown = m_alone && m_alone->isAncestorOf(&inside)
                       && (m_alone != m_middle || !m_areas->areaAround(&inside).isHidden());
    if (!m_alone || shown || inside.window() != window())
        return;
    m_alone = nullptr;
    layOut();
}

void Workbench::inspect()
{
    // The layout under the pointer does not change before the button is released
    if (QGuiApplication::mouseButtons() != Qt::NoButton) {
        m_inspectAgain.start();
        return;
    }
    if (m_state.inspected || m_aside || !fit(widthOf(Place::inspector) + m_studyStrip->minimumWidth()))
        return;
    openInspector();
    layOut();
}

void Workbench::showAllEntries()
{
    m_quietStrip->setNeeded(true);
    m_quietDrawer->setNeeded(true);
}

void Workbench::setImages(bool images)
{
    m_images = images;
    shareAnew();
}

void Workbench::setTable(bool table)
{
    m_table = table;
    shareAnew();
}

/// Distributes the height of the inspector among its parts again.
void Workbench::shareAnew()
{
    m_shared.clear();
    layOut();
}

void Workbench::setOnStage(const QStringList& parts)
{
    if (parts == m_onStage)
        return;
    m_onStage = parts;
    layOut();
    if (m_stage->count() < 2)
        return;
    const int high   = std::max(1, m_stage->height());
    int low          = high * 5 / 12;
    const auto* part = qobject_cast<const WindowPart*>(m_stage->widget(1));
    if (part && part->content()->property(WindowPart::asHighAsItsRows).toBool())
        low = std::min(low, part->content()->sizeHint().height());
    m_stage->setSizes({high - low, low});
}

void Workbench::toggleAlone(const QWidget* under)
{
    if (m_alone) {
        m_alone = nullptr;
        return layOut();
    }
    m_alone = m_middle;
    for (const auto* around = under; around; around = around->parentWidget())
        for (const auto* part : m_parts)
            if (part == around && m_windows.count(part) == 0)
                m_alone = part;
    if (m_areas && m_alone == m_middle)
        m_areas->showAlone(under);
    layOut();
}

void Workbench::reset()
{
    m_aside.reset();
    m_alone = nullptr;
    m_onStage.clear();
    for (auto* part : m_parts)
        if (m_windows.count(part) > 0)
            setWindow(*part, false);
    const bool lesson = m_state.lesson;
    restore(m_first);
    m_state.lesson = lesson;
    layOut();
}

void Workbench::openAll()
{
    m_state.study = m_state.studyAsked = m_state.inspector = m_state.drawer = m_state.inspected = true;
    layOut();
}

void Workbench::setAside(const QStringList& shown)
{
    if (m_aside)
        return;
    auto* page = m_pages->page();   // covers the stage
    m_pages->showStage();
    m_alone       = nullptr;
    m_aside       = m_state;
    m_state.study = m_state.inspector = m_state.drawer = false;
    for (const auto* part : m_parts) {
        const bool wanted = shown.contains(part->objectName());
        const auto place  = home(*part);
        if (place == Place::study) {
            m_state.study = m_state.studyAsked = wanted;
        } else if (place == Place::inspector) {
            m_state.folded.removeAll(part->objectName());
            wanted ? void(m_state.inspector = true) : void(m_state.folded += part->objectName());
        } else if (place == Place::drawer && wanted) {
            m_state.drawer = true;
            m_state.front  = part->objectName();
        }
    }
    m_state.studyLast = false;
    layOut();
    if (page)
        m_pages->show(page);
}

QStringList Workbench::restoreParts()
{
    auto* page = m_pages->page();
    m_pages->showStage();
    QStringList shown;
    for (const auto* part : m_parts)
        if (home(*part) != Place::lesson && isOpen(*part))
            shown += part->objectName();
    if (m_aside) {
        const bool lesson = m_state.lesson;
        m_state           = *std::exchange(m_aside, std::nullopt);
        m_state.lesson    = lesson;
        layOut();
    }
    if (page)
        m_pages->show(page);
    return shown;
}

QJsonObject Workbench::state() const
{
    const State& state = m_aside ? *m_aside : m_state;
    return {{"study", state.study},
            {"inspector", state.inspector},
            {"drawer", state.drawer},
            {"inspected", state.inspected},
            {"studyLast", state.studyLast},
            {"folded", QJsonArray::fromStringList(state.folded)},
            {"front", state.front},
            {"lessonWidth", state.lessonWidth},
            {"studyWidth", state.studyWidth},
            {"inspectorWidth", state.inspectorWidth},
            {"drawerHeight", state.drawerHeight},
            {"areas", m_areas ? m_areas->state() : QJsonObject()}};
}

void Workbench::restore(const QJsonObject& read)
{
    if (read.isEmpty())
        return;
    m_alone           = nullptr;
    const auto number = [&](const char* key) { return std::clamp(read[QLatin1String(key)].toInt(), 0, 4000); };
    const bool lesson = m_state.lesson;
    m_state           = {.lesson         = lesson,
                         .study          = read["study"].toBool(true),
                         .inspector      = read["inspector"].toBool(),
                         .drawer         = read["drawer"].toBool(),
                         .inspected      = read["inspected"].toBool(),
                         .studyLast      = read["studyLast"].toBool(true),
                         .front          = read["front"].toString(),
                         .lessonWidth    = number("lessonWidth"),
                         .studyWidth     = number("studyWidth"),
                         .inspectorWidth = number("inspectorWidth"),
                         .drawerHeight   = number("drawerHeight")};
    for (const auto& name : read["folded"].toArray())
        m_state.folded += name.toString();
    if (m_areas)
        m_areas->restore(read["areas"].toObject());
    shareAnew();
}

QRect Workbench::stageRect() const { return {m_stage->mapTo(window(), QPoint(0, 0)), m_stage->size()}; }

int Workbench::widthOf(Place place) const
{
    const auto sized = [this](int remembered, int first) {
        return std::min(withFont(remembered > 0 ? remembered : first), static_cast<int>(greatestSide * width()));
    };
    if (place == Place::lesson)
        return sized(m_state.lessonWidth, usualLesson);
    if (place == Place::study)
        return sized(m_state.studyWidth, usualStudy);
    // Images get space next to their boxplots if the stage keeps its share.
    const int others = m_rail->minimumWidth() + (m_state.study ? widthOf(Place::study) : m_studyStrip->minimumWidth());
    const int room   = std::min(width() * 3 / 10, static_cast<int>((1 - leastStage) * width()) - others - 4);
    return sized(m_state.inspectorWidth, m_images ? std::max(usualInspector, usualSize(room)) : usualInspector);
}

bool Workbench::fit(int sides) const
{
    return width() - (m_aside ? 0 : m_rail->minimumWidth()) - sides >= leastStage * width();
}

bool Workbench::bothFit() const
{
    return fit((m_state.lesson ? widthOf(Place::lesson) : 0) + widthOf(Place::study) + widthOf(Place::inspector));
}

/// Returns true if the stage keeps enough of its share when this side is open next to a lesson.
bool Workbench::fitsNextToLesson(Place side) const
{
    const auto* strip = side == Place::study ? m_inspectorStrip : m_studyStrip;
    const int sides   = widthOf(Place::lesson) + widthOf(side) + strip->minimumWidth();
    return width() - m_rail->minimumWidth() - sides >= leastNextToLesson * width();
}

Workbench::Open Workbench::open() const
{
    Open open{m_state.study, m_state.inspector};
    if (open.study && open.inspector && !bothFit())
        (m_state.studyLast ? open.inspector : open.study) = false;
    if (open.study && !open.inspector && !m_state.studyAsked)
        open.study = fit(widthOf(Place::study) + m_inspectorStrip->minimumWidth());
    return open;
}

/// Moves the part to its current place.
void Workbench::placePart(WindowPart& part)
{
    if (m_windows.count(&part) > 0)
        return;
    const auto place = home(part);
    if (onStage(part)) {
        part.setHeader(WindowPart::Header::none);
        part.setFolded(false);
        if (part.parentWidget() != m_stage)
            m_stage->addWidget(&part);
        part.show();
        return;
    }
    if (place == Place::inspector) {
        part.setHeader(WindowPart::Header::foldable);
        if (part.parentWidget() == m_inspector)
            return;
        const auto before = std::count_if(m_parts.begin(), std::find(m_parts.begin(), m_parts.end(), &part),
                                          [this](const WindowPart* one) { return one->parentWidget() == m_inspector; });
        m_inspector->insertWidget(static_cast<int>(before), &part);
        m_shared.clear();
    } else if (place == Place::drawer) {
        part.setHeader(WindowPart::Header::none);
        if (m_drawer->indexOf(&part) < 0)
            m_drawer->addWidget(&part);
    } else {
        part.setHeader(WindowPart::Header::closable);
        auto* side = place == Place::lesson ? m_lessonSide : m_studyBody;
        if (part.parentWidget() != side)
            side->layout()->addWidget(&part);
    }
    if (place != Place::drawer)
        part.show();
}

void Workbench::layOut()
{
    if (m_parts.empty())
        return;
    for (auto* part : m_parts)
        placePart(*part);
    m_middle->setVisible(!m_alone || m_alone == m_middle);
    if (m_areas && !m_alone)
        m_areas->showAlone(nullptr);
    layOutSides();
    layOutInspector();
    layOutDrawer();
    share();
    for (auto* part : m_parts)
        part->markOpen(isOpen(*part));
}

void Workbench::layOutSides()
{
    const bool bare               = m_alone || m_aside;
    const auto [study, inspector] = open();
    m_rail->setVisible(!bare);
    m_lessonSide->setVisible(m_state.lesson && !m_alone);
    const auto lay = [&](QWidget* side, Rail* strip, QWidget* body, bool open) {
        strip->setVisible(!open && !bare);
        body->setVisible(open);
        side->setVisible(!m_alone && !m_pages->page() && (open || !m_aside));
        side->setMinimumWidth(open ? 0 : strip->minimumWidth());
        side->setMaximumWidth(open ? QWIDGETSIZE_MAX : strip->minimumWidth());
    };
    const bool narrow = window()->width() < std::max(narrowWindow, 3 * withFont(narrowWindow) / 4);
    for (auto* rail : {m_rail, m_studyStrip, m_inspectorStrip})
        rail->fit(narrow, height());
    lay(m_studySide, m_studyStrip, m_studyBody, study);
    lay(m_inspectorSide, m_inspectorStrip, m_inspectorBody, inspector);
}

void Workbench::layOutInspector()
{
    QList<int> kinds, sizes;   // of each part in the inspector; kind 1: folded
    bool anyUnfolded = false;
    for (int k = 0; k < m_inspector->count(); ++k) {
        auto* part        = static_cast<WindowPart*>(m_inspector->widget(k));
        const bool folded = m_state.folded.contains(part->objectName());
        part->setFolded(folded);
        part->setVisible(!folded || !m_aside);
        anyUnfolded = anyUnfolded || !folded;
        kinds += folded ? 1 : 0;
        sizes += folded ? part->headerHeight() : k == 0 ? (m_images || m_table ? 1200 : 500) : 380;
    }
    m_inspector->setSizePolicy(QSizePolicy::Preferred, anyUnfolded ? QSizePolicy::Expanding : QSizePolicy::Maximum);
    if (std::exchange(m_shared, kinds) == kinds)
        return;
    m_inspector->setSizes(sizes);
}

void Workbench::layOutDrawer()
{
    for (const auto& [part, button] : m_drawerButtons) {
        const bool there = !onStage(*part) && m_windows.count(part) == 0;
        const bool front = there && m_state.drawer && m_state.front == part->objectName();
        button->parentWidget()->setVisible(there);
        button->setChecked(front);
        button->setIcon(icon(front ? QStringLiteral("fold-open") : QStringLiteral("fold-closed")));
        // A hidden page requests no space.
        const_cast<WindowPart*>(part)->setSizePolicy(QSizePolicy::Preferred,
                                                     there && !front ? QSizePolicy::Ignored : QSizePolicy::Preferred);
        if (front)
            m_drawer->setCurrentWidget(const_cast<WindowPart*>(part));
    }
    const bool any = std::any_of(m_drawerButtons.begin(), m_drawerButtons.end(),
                                 [](const auto& one) { return one.second->isChecked(); });
    // No part was in front yet, or it has been moved elsewhere
    if (m_state.drawer && !any && !m_drawerButtons.empty()) {
        for (const auto* part : m_parts)
            if (const auto one = m_drawerButtons.find(part);
                one != m_drawerButtons.end() && !one->second->parentWidget()->isHidden()) {
                m_state.front = part->objectName();
                return layOutDrawer();
            }
    }
    m_drawer->setVisible(any && !m_alone);
    m_drawerBar->setVisible(!m_alone && !m_aside);
}

/// Gives the sides and the drawer their sizes; the stage gets the rest.
void Workbench::share()
{
    const auto [study, inspector] = open();
    const int lesson              = m_lessonSide->isHidden() ? 0 : widthOf(Place::lesson);
    const int left  = m_studySide->isHidden() ? 0 : study ? widthOf(Place::study) : m_studyStrip->minimumWidth();
    const int right = m_inspectorSide->isHidden() ? 0
                      : inspector                 ? widthOf(Place::inspector)
                                                  : m_inspectorStrip->minimumWidth();
    // Computed here, since a splitter may get its size only later.
    const int wide = width() - (m_rail->isHidden() ? 0 : m_rail->minimumWidth() + 1);
    m_split->setSizes({lesson, left, std::max(1, wide - lesson - left - right), right});
    if (m_drawer->isHidden())
        return;
    const int high = height() - (m_drawerBar->isHidden() ? 0 : m_drawerBar->sizeHint().height());
    const int most = high < withFont(lowColumn) ? static_cast<int>((1 - leastStage) * high) : high / 2;
    const int low  = std::min(withFont(m_state.drawerHeight > 0 ? m_state.drawerHeight : usualDrawer), most);
    m_column->setSizes({std::max(1, high - low), low});
}

/// Saves the sizes after a handle was dragged.
void Workbench::rememberSizes()
{
    const auto [study, inspector] = open();
    const auto wide               = m_split->sizes();
    if (!m_lessonSide->isHidden())
        m_state.lessonWidth = usualSize(wide[0]);
    if (study && !m_studySide->isHidden())
        m_state.studyWidth = usualSize(wide[1]);
    if (inspector && !m_inspectorSide->isHidden())
        m_state.inspectorWidth = usualSize(wide[3]);
    if (!m_drawer->isHidden())
        m_state.drawerHeight = usualSize(m_column->sizes().value(1));
}

void Workbench::setWindow(WindowPart& part, bool own)
{
    if (own == (m_windows.count(&part) > 0))
        return;
    if (!own) {
        auto* window = m_windows.at(&part);
        m_windows.erase(&part);
        placePart(part);
        window->deleteLater();
        return layOut();
    }
    const QSize size = part.size().expandedTo({480, 360});
    part.setFolded(false);
    part.setHeader(WindowPart::Header::none);
    auto* made = new OwnWindow(
        part, part.title(), [this, &part] { setWindow(part, false); }, window());
    m_windows.emplace(&part, made);
    made->resize(size);
    made->show();
    part.show();
    layOut();
}

void Workbench::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void Workbench::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    layOut();
}

void Workbench::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        layOut();
}
