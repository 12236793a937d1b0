// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_workbench.h"

#include "foundation/error.h"
#include "outputs/bridge_of_file.h"
#include "session/settings.h"
#include "simplex/simplex_presets.h"
#include "widgets/accessibility.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QKeyEvent>
#include <QUndoCommand>
#include <QUndoStack>

#include <cmath>

using namespace credence;

namespace {

BridgeVariant rememberedVariant()
{
    try {
        return bridge_variant_named(read(settings::bridgeVariant).toStdString());
    } catch (const Error&) {   // settings of another version
        return BridgeVariant::projected;
    }
}

}   // namespace

/// One manual change. A whole drag is one undo step.
class SimplexCommand : public QUndoCommand {
public:
    SimplexCommand(SimplexEditor& editor, SimplexEditor::State before, SimplexEditor::State after, const QString& text,
                   QString mergeKey)
        : QUndoCommand(text), m_editor(editor), m_before(std::move(before)), m_after(std::move(after)),
          m_mergeKey(std::move(mergeKey))
    {}
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* newer) override
    {
        const auto* other = static_cast<const SimplexCommand*>(newer);   // equal ids guarantee the type
        if (other->m_mergeKey != m_mergeKey || &other->m_editor != &m_editor)
            return false;
        m_after = other->m_after;
        return true;
    }
    void undo() override { m_editor.apply(m_before); }
    void redo() override { m_editor.apply(m_after); }

private:
    SimplexEditor& m_editor;
    SimplexEditor::State m_before, m_after;
    QString m_mergeKey;
};

SimplexEditor::SimplexEditor(QUndoStack& undo, QObject* parent) : QObject(parent), m_undo(undo)
{
    m_state.hand    = LogitHandles(simplex_presets().front().distribution);
    m_state.variant = rememberedVariant();
}

void SimplexEditor::edit(State after, const QString& text, const QString& mergeKey)
{
    m_undo.push(new SimplexCommand(*this, m_state, std::move(after), text, mergeKey));
}

void SimplexEditor::apply(const State& state)
{
    const State before = std::exchange(m_state, state);
    if (before.variant != state.variant)
        write(settings::bridgeVariant, toQString(name(state.variant)));
    Q_EMIT changed(before);
}

void SimplexEditor::setSource(SimplexSource source)
{
    if (source == m_state.source)
        return;
    State after  = m_state;
    after.source = source;
    edit(after,
         source == SimplexSource::by_hand ? tr("Simplex: move by hand") : tr("Simplex: follow the selected input"));
}

void SimplexEditor::setVariant(BridgeVariant variant)
{
    State after   = m_state;
    after.variant = variant;
    edit(after, tr("Laplace Bridge: %1").arg(toQString(title_of(variant))), QStringLiteral("variant"));
}

void SimplexEditor::choosePreset(int index)
{
    const auto& preset = simplex_presets()[static_cast<std::size_t>(index)];
    Q_EMIT noted(toQString(preset.note));
    edit({.source = SimplexSource::by_hand, .hand = LogitHandles(preset.distribution), .variant = preset.variant},
         tr("Simplex: %1").arg(toQString(preset.title)));
}

void SimplexEditor::moveByHand(const LogitHandles& hand, const QString& text, const QString& mergeKey)
{
    Q_EMIT noted({});
    State after  = m_state;
    after.source = SimplexSource::by_hand;
    after.hand   = hand;
    edit(after, text, mergeKey);
}

void SimplexEditor::follow(const std::optional<LogitHandles>& hand, const QStringList& names)
{
    m_state.hand  = hand;
    m_state.names = names;
}

namespace {

constexpr double reach = 13;   ///< pixels within which a handle is grabbed
constexpr double leastAway =
    20;   ///< pixels between the mean's handle and those of the axes, so that each can be grabbed

int axisOf(SimplexHandles::Handle handle) { return handle == SimplexHandles::Handle::first_axis ? 0 : 1; }

double norm(const LogitHandles::Logits& way) { return std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]); }

}   // namespace

SimplexHandles::SimplexHandles(ChartView& view, QObject* parent) : QObject(parent), m_view(view), m_spokenBy(&view)
{
    view.spoken().onPicture = this;
    view.installEventFilter(this);
    connect(&view.hand(), &ChartHand::pointPressed, this, [this](int panel, double first, double second) {
        if (panel == 0)
            press(m_view.positionOf(0, first, second));
    });
    connect(&view.hand(), &ChartHand::pointDragged, this, [this](int panel, double first, double second) {
        if (panel == 0)
            drag({first, second});
    });
    connect(&view.hand(), &ChartHand::pointReleased, this, [this] { m_grabbed.reset(); });
    m_replace.setSingleShot(true);
    m_replace.setInterval(60);
    connect(&m_replace, &QTimer::timeout, this, &SimplexHandles::redrawWanted);
}

SimplexHandles::~SimplexHandles()
{
    if (m_spokenBy)
        m_spokenBy->spoken().onPicture = nullptr;
}

std::vector<SpokenItem> SimplexHandles::spokenItems() const
{
    if (!movable())
        return {};
    const auto& panels = m_view.chart().panels;
    const auto corners = !panels.empty() && panels.front().triangle ? panels.front().triangle->corners
                                                                    : std::array<std::string, 3>{"1", "2", "3"};
    const auto place   = [&corners](TrianglePlace at) {
        const double shares[] = {at.first, at.second, at.third()};
        QStringList words;
        for (std::size_t k = 0; k < 3; ++k)
            words += tr("%1 %2 %").arg(toQString(corners[k])).arg(100 * shares[k], 0, 'f', 1);
        return words.join(QStringLiteral(", "));
    };
    std::vector<SpokenItem> items;
    const auto add = [&](Handle handle, const QString& name) {
        const QPoint at = position(handle).toPoint();
        items.push_back(
            {.name        = name,
             .description = tr(
                 "Arrows move it, with Shift in smaller steps; Space selects the next handle; + and − widen and "
                 "narrow the distribution"),
             .place   = QRect(at - QPoint(8, 8), QSize(16, 16)),
             .chosen  = handle == m_selected,
             .current = handle == m_selected});
    };
    add(Handle::mean, tr("Handle of the mean: %1").arg(place(m_logits->mean())));
    add(Handle::first_axis, tr("Handle of the first axis: standard deviation %1").arg(m_logits->length(0), 0, 'g', 3));
    add(Handle::second_axis,
        tr("Handle of the second axis: standard deviation %1").arg(m_logits->length(1), 0, 'g', 3));
    return items;
}

void SimplexHandles::pressItem(int index)
{
    if (!movable() || index < 0 || index > 2)
        return;
    m_selected = static_cast<Handle>(index);
    m_view.setFocus();
    Q_EMIT redrawWanted();
    emitSelected();
}

void SimplexHandles::emitSelected() const
{
    const auto items = spokenItems();
    if (const auto at = static_cast<std::size_t>(m_selected); at < items.size())
        announce(&m_view, items[at].name, Announcer::Urgency::settled);
}

void SimplexHandles::addTo(Chart& chart) const
{
    if (!movable() || chart.panels.empty())
        return;
    auto& series = chart.panels.front().series;
    const Tone tone{Tone::Kind::accent};
    Line ellipse  = m_logits->ellipse();
    ellipse.tone  = tone;
    ellipse.width = 1.4;
    series.push_back(std::move(ellipse));
    const auto mark = [&](TrianglePlace place, Marker marker, double size, Handle handle) {
        series.push_back(Points{.x      = {place.first},
                                .y      = {place.second},
                                .tone   = tone,
                                .marker = marker,
                                .size   = size + (handle == m_selected ? 2.5 : 0)});
    };
    mark(shownEnd(0), Marker::square, 8, Handle::first_axis);
    mark(shownEnd(1), Marker::square, 8, Handle::second_axis);
    mark(m_logits->mean(), Marker::diamond, 9, Handle::mean);
}

/// Handles keep a minimum distance on screen, so they are placed again after the chart's layout.
void SimplexHandles::pictureDrawn()
{
    const QRect room = m_view.panelRect(0);
    if (m_available && room != m_placedFor)
        m_replace.start();
    m_placedFor = room;
}

/// Returns the position of an axis handle: slightly away from the mean, so that it can be grabbed
/// for any width of the distribution.
TrianglePlace SimplexHandles::shownEnd(int axis) const
{
    const auto& hand     = *m_logits;
    const auto mean      = hand.mean();
    const QPointF centre = m_view.positionOf(0, mean.first, mean.second);
    TrianglePlace end    = hand.end(axis);
    double length        = hand.length(axis);
    if (m_view.panelRect(0).isEmpty())
        return end;   // nothing drawn yet
    for (int step = 0; step < 60; ++step) {
        const QPointF away = m_view.positionOf(0, end.first, end.second) - centre;
        if (std::hypot(away.x(), away.y()) >= leastAway || length > 50)
            break;
        length = 1.15 * length + 1e-3;
        end    = hand.with_length(axis, length).end(axis);
    }
    return end;
}

QPointF SimplexHandles::position(Handle handle) const
{
    if (!m_logits)
        return {};
    const auto place = handle == Handle::mean ? m_logits->mean() : shownEnd(axisOf(handle));
    return m_view.positionOf(0, place.first, place.second);
}

std::optional<SimplexHandles::Handle> SimplexHandles::handleAt(QPointF at) const
{
    if (!movable())
        return {};
    std::optional<Handle> found;
    double nearest = reach;
    for (const Handle handle : {Handle::mean, Handle::first_axis, Handle::second_axis}) {
        const QPointF away = position(handle) - at;
        if (const double distance = std::hypot(away.x(), away.y()); distance < nearest) {
            nearest = distance;
            found   = handle;
        }
    }
    return found;
}

/// Length of an axis divided by the distance to its handle; 0: the handle is at the mean.
double SimplexHandles::wayOfAxis(int axis) const
{
    const double far = norm(m_logits->towards(shownEnd(axis)));
    return far > 0 ? m_logits->length(axis) / far : 0;
}

void SimplexHandles::press(QPointF at)
{
    m_grabbed = handleAt(at);
    ++m_stroke;
    if (!m_grabbed)
        return;
    m_selected = *m_grabbed;
    if (*m_grabbed != Handle::mean) {
        const double scale = wayOfAxis(axisOf(*m_grabbed));
        m_grabScale        = scale > 0 ? scale : 1;
    }
    Q_EMIT redrawWanted();
}

void SimplexHandles::drag(TrianglePlace to)
{
    if (!m_grabbed || !m_logits)
        return;
    const QString mergeKey = QStringLiteral("drag %1").arg(m_stroke);
    if (*m_grabbed == Handle::mean) {
        Q_EMIT moved(m_logits->with_mean(to), tr("Simplex: drag the mean"), mergeKey);
        return;
    }
    auto way = m_logits->towards(to);
    for (double& z : way)
        z *= m_grabScale;
    Q_EMIT moved(m_logits->with_axis(axisOf(*m_grabbed), way), tr("Simplex: drag an axis"), mergeKey);
}

/// @return true: the key was handled
bool SimplexHandles::nudge(int key, Qt::KeyboardModifiers modifiers)
{
    if (!movable())
        return false;
    if (key == Qt::Key_Space) {
        m_selected = static_cast<Handle>((static_cast<int>(m_selected) + 1) % 3);
        Q_EMIT redrawWanted();
        return true;
    }
    if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
        const double factor = key == Qt::Key_Plus ? 1.1 : 1 / 1.1;
        const auto wider    = m_logits->with_length(0, factor * m_logits->length(0));
        Q_EMIT moved(wider.with_length(1, factor * wider.length(1)), tr("Simplex: move by keys"),
                     QStringLiteral("keys"));
        return true;
    }
    return nudgePlace(key, modifiers.testFlag(Qt::ShiftModifier) ? 0.002 : 0.02);
}

bool SimplexHandles::nudgePlace(int key, double step)
{
    if (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down)
        return false;
    const auto from = m_selected == Handle::mean ? m_logits->mean() : shownEnd(axisOf(m_selected));
    auto place      = triangle_place(from.first, from.second);
    place.x += key == Qt::Key_Right ? step : key == Qt::Key_Left ? -step : 0;
    place.y += key == Qt::Key_Up ? step : key == Qt::Key_Down ? -step : 0;
    const auto to     = triangle_probabilities(place.x, place.y);
    const auto byKeys = [this](const LogitHandles& logits) {
        Q_EMIT moved(logits, tr("Simplex: move by keys"), QStringLiteral("keys"));
        return true;
    };
    if (m_selected == Handle::mean)
        return byKeys(m_logits->with_mean(to));
    const int axis     = axisOf(m_selected);
    const double scale = wayOfAxis(axis);
    auto way           = m_logits->towards(to);
    for (double& z : way)
        z *= scale;
    return byKeys(m_logits->with_axis(axis, way));
}

bool SimplexHandles::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        m_replace.start();
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) && nudge(key->key(), key->modifiers())) {
            emitSelected();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}
