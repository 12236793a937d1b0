// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/arrangements.h"

#include "parts/notifier.h"
#include "parts/rail.h"
#include "parts/workbench.h"
#include "session/settings.h"

#include <QInputDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include <utility>

namespace {

constexpr int arrangementVersion = 1;

const QString namePrefix = QStringLiteral("arrangement/");   ///< of the menu entries

/// Returns the arrangements by name. Empty: there are none, or they cannot be read.
QJsonObject savedArrangements() { return QJsonDocument::fromJson(read(settings::arrangements)).object(); }

void storeArrangements(const QJsonObject& all)
{
    write(settings::arrangements, QJsonDocument(all).toJson(QJsonDocument::Compact));
}

}   // namespace

Arrangements::Arrangements(Workbench& workbench, Notifier& notifier, EnterWorkspace enter, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_notifier(notifier), m_enter(std::move(enter))
{}

void Arrangements::fill(QMenu* menu, std::function<void()> reset)
{
    m_menu = menu;
    if (const auto saved = read(settings::arrangements); !saved.isEmpty() && !QJsonDocument::fromJson(saved).isObject())
        m_notifier.keep(tr("The saved arrangements are damaged and are ignored."));
    menu->addAction(tr("&Save as…"), this, &Arrangements::askName)->setObjectName(QStringLiteral("saveArrangement"));
    menu->addSeparator();
    m_end = menu->addSeparator();
    menu->addAction(tr("&Reset"), this, std::move(reset))->setObjectName(QStringLiteral("resetLayout"));
    m_removal = menu->addMenu(tr("&Delete"));
    refill();
}

void Arrangements::refill()
{
    for (auto* action : m_menu->actions())
        if (action->objectName().startsWith(namePrefix))
            action->deleteLater();   // deleted later, since it may have triggered this call
    for (auto* action : m_removal->actions())
        action->deleteLater();
    const auto names = savedArrangements().keys();
    for (const auto& name : names) {
        QString text = name;
        text.replace(QLatin1Char('&'), QStringLiteral("&&"));
        auto* entry = new QAction(text, m_menu);
        entry->setObjectName(namePrefix + name);
        connect(entry, &QAction::triggered, this, [this, name] { apply(name); });
        m_menu->insertAction(m_end, entry);
        m_removal->addAction(text, this, [this, name] { remove(name); })
            ->setObjectName(QStringLiteral("deleteArrangement/") + name);
    }
    m_removal->menuAction()->setVisible(!names.isEmpty());
}

void Arrangements::askName()
{
    auto* ask = new QInputDialog(&m_workbench);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setObjectName(QStringLiteral("arrangementName"));
    ask->setWindowTitle(tr("Save arrangement"));
    ask->setLabelText(tr("Name of the arrangement"));
    connect(ask, &QInputDialog::textValueSelected, this, &Arrangements::save);
    ask->open();
}

void Arrangements::save(const QString& name)
{
    const QString shown = name.simplified();
    if (shown.isEmpty())
        return m_notifier.notify(tr("The arrangement was not saved: it needs a name."));
    auto all   = savedArrangements();
    all[shown] = QJsonObject{
        {"version", arrangementVersion}, {"workspace", m_workbench.rail().current()}, {"window", m_workbench.state()}};
    storeArrangements(all);
    refill();
    m_notifier.notify(tr("Arrangement “%1” saved.").arg(shown));
}

void Arrangements::apply(const QString& name)
{
    const auto saved = savedArrangements()[name].toObject();
    const auto state = saved["window"].toObject();
    if (saved["version"].toInt() != arrangementVersion || state.isEmpty())
        return m_notifier.keep(
            tr("The arrangement “%1” is damaged or was saved by another version, and is ignored.").arg(name));
    m_enter(saved["workspace"].toString());
    m_workbench.restore(state);
}

void Arrangements::remove(const QString& name)
{
    auto all = savedArrangements();
    all.remove(name);
    storeArrangements(all);
    refill();
}
