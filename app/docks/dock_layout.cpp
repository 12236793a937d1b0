// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/dock_layout.h"

#include "session/settings.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QScreen>

#include <algorithm>
#include <utility>

namespace {

const QString lessonDock = QStringLiteral(
    "lessonDock");   ///< there as long as a lesson is open, and no matter of choice

constexpr int lowWindow = 950;   ///< below this height picture, verdict and layers do not fit over one another

}   // namespace

DockLayout::DockLayout(QMainWindow& window) : m_window(window)
{
    window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    const QSize room = window.screen()->availableSize();
    window.resize(room.boundedTo(QSize(1280, 800).expandedTo(room * 0.9)));
}

QDockWidget* DockLayout::add(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* made = new QDockWidget(title, &m_window);
    made->setObjectName(name);
    made->setWidget(content);
    m_window.addDockWidget(area, made);
    m_docks.push_back(made);
    return made;
}

QDockWidget* DockLayout::dock(const char* name) const
{
    return *std::find_if(m_docks.begin(), m_docks.end(),
                         [name](const QDockWidget* one) { return one->objectName() == QLatin1String(name); });
}

void DockLayout::share(const std::vector<const char*>& names, const QList<int>& sizes, Qt::Orientation direction) const
{
    QList<QDockWidget*> docks;
    for (const char* name : names)
        docks += dock(name);
    m_window.resizeDocks(docks, sizes, direction);
}

void DockLayout::arrange()
{
    const int height = m_window.height();
    m_window.tabifyDockWidget(dock("layersDock"), dock("weightsDock"));
    dock("layersDock")->raise();
    m_window.tabifyDockWidget(dock("runsDock"), dock("findingsDock"));
    dock("findingsDock")->hide();   // hidden until requested: the count is in the status bar
    share({"studyDock", "inputDock"}, {316, 330}, Qt::Horizontal);
    share({"trainingDock", "runsDock"}, {500, 480}, Qt::Horizontal);
    share({"trainingDock"}, {height * 28 / 100}, Qt::Vertical);
    share({"inputDock", "layersDock"}, {height / 3, height / 3}, Qt::Vertical);
    m_first = m_window.saveState(settings::layoutVersion);
}

/// Images need space for a figure next to its boxplots. Docks that the user has floated stay as
/// they are.
void DockLayout::arrangeForImages(bool images)
{
    if (!m_aside.isEmpty()) {
        m_arrival = images;
        return;
    }
    auto* input   = dock("inputDock");
    auto* layers  = dock("layersDock");
    auto* weights = dock("weightsDock");
    if (input->isFloating() || layers->isFloating() || weights->isFloating())
        return;
    const int height   = m_window.height();
    const bool stacked = m_window.tabifiedDockWidgets(input).contains(layers);
    const int wide     = std::min(560, m_window.width() * 33 / 100);
    if (images && input->width() < wide)
        share({"inputDock"}, {wide}, Qt::Horizontal);
    if (images && !stacked && height < lowWindow && m_window.tabifiedDockWidgets(layers).contains(weights)) {
        m_window.tabifyDockWidget(layers, input);   // three tabs of the whole height
        input->raise();
    } else if (!images && stacked) {
        m_window.splitDockWidget(input, layers, Qt::Vertical);
        m_window.tabifyDockWidget(layers, weights);
        layers->raise();
    } else if (images && !stacked) {
        share({"inputDock", "layersDock"}, {3 * height / 4, height / 4}, Qt::Vertical);
    }
}

void DockLayout::setAside(const QStringList& shown)
{
    if (!m_aside.isEmpty())
        return;
    m_aside     = m_window.saveState(settings::layoutVersion);
    m_asideSize = m_window.size();
    for (auto* one : m_docks)
        if (one->objectName() != lessonDock)
            one->setVisible(shown.contains(one->objectName()));
}

QStringList DockLayout::bringBack()
{
    QStringList shown;
    for (const auto* one : m_docks)
        if (!one->isHidden() && one->objectName() != lessonDock)
            shown += one->objectName();
    if (m_aside.isEmpty())
        return shown;
    if (!(m_window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)))
        m_window.resize(m_asideSize);   // larger type may have needed more room
    place(std::exchange(m_aside, {}));
    if (const auto images = std::exchange(m_arrival, std::nullopt))
        arrangeForImages(*images);
    return shown;
}

void DockLayout::reset() const { place(m_first); }

/// In a visible window Qt 6.4 finally shows the tab bars one by one. Each can trigger a layout that
/// changes the set of tab bars being iterated over, so layouts are suspended meanwhile.
void DockLayout::place(const QByteArray& state) const
{
    QLayout* layout = m_window.layout();
    layout->setEnabled(false);
    m_window.restoreState(state, settings::layoutVersion);
    layout->setEnabled(true);
    layout->activate();
}

void DockLayout::save() const
{
    write(settings::layout, settings::layoutVersion);
    write(settings::geometry, m_window.saveGeometry());
    write(settings::docks, m_aside.isEmpty() ? m_window.saveState(settings::layoutVersion) : m_aside);
}

void DockLayout::saveIfChanged()
{
    const QByteArray now = m_window.saveGeometry() + m_window.saveState(settings::layoutVersion);
    if (std::exchange(m_seen, now) != now)
        save();
}

void DockLayout::restore()
{
    if (read(settings::layout) != settings::layoutVersion)
        return;   // none yet, or one of another version
    m_window.restoreGeometry(read(settings::geometry));
    place(read(settings::docks));
}
