// SPDX-License-Identifier: GPL-3.0-or-later
// What the hand does to the law, and what is shown of it. How it is laid out: simplex_workbench_layout.cpp.
#include "tools/simplex_workbench.h"

#include "docks/view_panel.h"
#include "session/settings.h"
#include "tools/beta_panel.h"
#include "tools/law_boxes.h"

#include "figures/beta_figure.h"
#include "figures/simplex_presets.h"
#include "foundation/error.h"
#include "views/chosen_logits.h"
#include "widgets/chart_view.h"
#include "widgets/table_view.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoCommand>
#include <QUndoStack>

#include <cmath>

using namespace credence;

namespace {

constexpr double reach = 13;   ///< pixels from a handle within which it is grabbed
constexpr double leastAway =
    20;   ///< pixels between the mean's handle and those of the axes, so that each can be grabbed
constexpr int drawsShown = 400;
constexpr int cellsOfTab = 200;   ///< a side: its triangles are larger than those of the docks and of print

}   // namespace

struct SimplexWorkbench::Made {
    std::shared_ptr<SimplexDensity> value;   ///< null: two classes, or nothing
    Chart chart;                             ///< without table
    std::optional<Table> table;              ///< two classes bring theirs along
    QStringList classNames;
};

/// One change by hand, whole. A drag is one step back.
class LawCommand : public QUndoCommand {
public:
    LawCommand(SimplexWorkbench& workbench, SimplexWorkbench::State before, SimplexWorkbench::State after,
               const QString& text, QString mergeKey)
        : QUndoCommand(text), m_workbench(workbench), m_before(std::move(before)), m_after(std::move(after)),
          m_mergeKey(std::move(mergeKey))
    {}
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* newer) override
    {
        const auto* other = static_cast<const LawCommand*>(newer);   // ids agree, so it is one
        if (other->m_mergeKey != m_mergeKey || &other->m_workbench != &m_workbench)
            return false;
        m_after = other->m_after;
        return true;
    }
    void undo() override { m_workbench.apply(m_before); }
    void redo() override { m_workbench.apply(m_after); }

private:
    SimplexWorkbench& m_workbench;
    SimplexWorkbench::State m_before, m_after;
    QString m_mergeKey;
};

void SimplexWorkbench::edit(State after, const QString& text, const QString& mergeKey)
{
    m_undo.push(new LawCommand(*this, m_state, std::move(after), text, mergeKey));
}

void SimplexWorkbench::apply(const State& state)
{
    const bool sourceChanged = state.source != m_state.source, otherVariant = state.variant != m_state.variant;
    m_state = state;
    const QSignalBlocker quietSource(m_source), quietVariant(m_variant);
    m_source->setCurrentIndex(m_source->findData(static_cast<int>(state.source)));
    m_variant->setCurrentIndex(m_variant->findData(static_cast<int>(state.variant)));
    if (state.hand)
        m_boxes->setLaw(state.hand->law());
    if (sourceChanged && state.source == Source::chosen_input) {
        m_densityJob.cancel();
        m_numberJob.cancel();
        setNote({});
    }
    fitClasses();
    m_stale = true;
    request();
    if (otherVariant) {
        write(settings::bridgeVariant, QString::fromLatin1(name(state.variant)));
        Q_EMIT variantChanged();
    }
}

void SimplexWorkbench::follow(const RunMoment& moment, const ViewOptions& options)
{
    m_moment  = moment;
    m_options = options;
    if (m_state.source == Source::chosen_input) {
        m_stale = true;
        request();
    }
}

void SimplexWorkbench::setSource(Source source)
{
    if (source == m_state.source)
        return;
    State after  = m_state;
    after.source = source;
    edit(after, source == Source::by_hand ? tr("Simplex: move by hand") : tr("Simplex: follow the chosen input"));
}

void SimplexWorkbench::setVariant(BridgeVariant variant)
{
    State after   = m_state;
    after.variant = variant;
    edit(after, tr("Laplace Bridge: %1").arg(QString::fromStdString(title_of(variant))), QStringLiteral("variant"));
}

void SimplexWorkbench::choosePreset(int index)
{
    const auto& preset = simplex_presets()[static_cast<std::size_t>(index)];
    setNote(QString::fromStdString(preset.note));
    edit({.source = Source::by_hand, .hand = LogitHandles(preset.law), .variant = preset.variant},
         tr("Simplex: %1").arg(QString::fromStdString(preset.title)));
}

SimplexChoice SimplexWorkbench::choice() const
{
    SimplexChoice choice;
    choice.density.variant = m_state.variant;
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

/// What is shown is made anew, unless nobody looks.
void SimplexWorkbench::request()
{
    if (!m_stale || !m_picture->isVisible())
        return;
    m_stale              = false;
    auto choice          = this->choice();
    choice.density.cells = cellsOfTab;
    auto look            = choice.look;
    look.table           = false;   // it stands below
    if (m_state.source == Source::by_hand) {
        if (!m_state.hand)
            return;
        std::vector<std::string> names;
        for (int k = 0; k < 3; ++k)
            names.push_back((k < m_state.names.size() ? m_state.names[k] : tr("class %1").arg(k)).toStdString());
        choice.density.classes.clear();   // of another law
        m_densityJob.submit([this, law = m_state.hand->law(), names, options = choice.density,
                             look](std::stop_token, Worker::Progress&) -> Worker::Show {
            auto made   = std::make_shared<Made>();
            made->value = std::make_shared<SimplexDensity>(simplex_density(law, names, options));
            made->chart = to_chart(*made->value, look);
            return [this, made = std::shared_ptr<const Made>(made)] { show(made); };
        });
        return;
    }
    if (!m_moment || !m_moment->experiment)
        return;
    m_densityJob.submit([this, moment = *m_moment, options = m_options, choice,
                         look](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto made            = std::make_shared<Made>();
        auto quick           = options;
        quick.simplex        = choice;
        quick.simplex.look   = look;
        quick.bridge_variant = choice.density.variant;
        const bool classes   = moment.experiment->task() == Task::classification && gives_logits(moment);
        const auto law       = classes ? chosen_logits(moment, quick, logits_by(moment, quick), stop) : std::nullopt;
        if (stop.stop_requested())
            return {};
        if (!law) {
            try {
                made->chart = credence::view("simplex").make(moment, quick, stop).value_or(Chart{});
            } catch (const Error& error) {
                made->chart.message = error.what();   // which says why
            }
        } else {
            const auto& names = moment.experiment->data->training.class_names;
            for (const auto& name : names)
                made->classNames += QString::fromStdString(name);
            if (law->n_classes() == 2) {
                made->chart = two_class_chart(*law, names, choice.density.variant);
                made->table = std::exchange(made->chart.table, std::nullopt);
            } else {
                auto how = choice.density;
                how.seed = moment.experiment->study.seed;
                if (how.classes.size() == 3 && std::any_of(how.classes.begin(), how.classes.end(), [&](int k) {
                        return k < 0 || k >= law->n_classes();
                    }))
                    how.classes.clear();
                made->value = std::make_shared<SimplexDensity>(simplex_density(*law, names, how));
                made->chart = to_chart(*made->value, look);
            }
        }
        return [this, made = std::shared_ptr<const Made>(made)] { show(made); };
    });
}

void SimplexWorkbench::show(const std::shared_ptr<const Made>& made)
{
    m_made = made;
    if (m_state.source == Source::chosen_input) {
        if (made->classNames != m_classNames || !made->value) {
            m_classNames = made->classNames;
            fitClasses();
        }
        m_state.hand.reset();
        m_state.names.clear();
        if (made->value) {
            for (const auto& name : made->value->names)
                m_state.names += QString::fromStdString(name);
            m_state.hand = LogitHandles(made->value->logits);
            m_boxes->setLaw(m_state.hand->law());
            for (int k = 0; k < 2 + (made->value->others == OtherClasses::left_out ? 1 : 0); ++k) {
                const QSignalBlocker quiet(m_corners[k]);
                if (m_mostProbable->isChecked())
                    m_corners[k]->setCurrentIndex(made->value->classes[static_cast<std::size_t>(k)]);
            }
        }
    }
    if (made->value) {
        QStringList names;
        for (const auto& name : made->value->names)
            names += QString::fromStdString(name);
        m_boxes->setNames(names);
    }
    m_boxes->setMistake({});
    m_boxes->setEnabled(made->value != nullptr);
    m_full = made->chart;
    drawPicture();
    if (made->value && made->value->bridge) {
        if (!m_waitForNumbers.isActive())
            m_waitForNumbers.start();
        m_numberJob.submit([this, made, look = choice().look](std::stop_token, Worker::Progress&) -> Worker::Show {
            std::optional<BridgeNumbers> numbers;
            Chart full = made->chart;
            try {
                auto whole = *made->value;
                numbers = whole.numbers = bridge_numbers(whole, 400'000'000);
                full                    = to_chart(whole, look);
            } catch (const std::exception&) {
                // a law for which they cannot be had: the table says so
            }
            return [this, made, numbers, full] { showNumbers(made, numbers, full); };
        });
    } else {
        m_numberJob.cancel();
        m_known.reset();
        showTable();
    }
}

/// Numbers of a picture that the hand has already left are shown all the same: the next ones are on their way.
void SimplexWorkbench::showNumbers(const std::shared_ptr<const Made>& made, std::optional<BridgeNumbers> numbers,
                                   const Chart& full)
{
    m_known = std::move(numbers);
    if (made == m_made)
        m_waitForNumbers.stop();
    else
        m_waitForNumbers.start();
    showTable();
    if (made == m_made)
        m_full = full;
}

/// Numbers of the whole in a line, those of each class in a table.
void SimplexWorkbench::showTable()
{
    const bool two = m_made && m_made->table;
    if (!two && !(m_made && m_made->value && m_made->value->bridge)) {
        m_summary->clear();
        m_numbers->setTable({});
        return;
    }
    const Table whole = two ? *m_made->table
                            : numbers_table(m_known.value_or(BridgeNumbers{}), m_made->value->bridge->alpha(),
                                            m_made->value->names);
    const bool known  = two || m_known;
    const auto value  = [&](std::size_t row) {
        const auto* number = known ? std::get_if<double>(&whole.rows[row][1]) : nullptr;
        return number ? QString::number(*number, 'g', 4) : QStringLiteral("…");
    };
    m_summary->setText(tr("<b>KL %1</b> nats, best Dirichlet %2 · total variation %3 · Hellinger %4")
                           .arg(value(0), value(1), value(2), value(3)));
    Table ofClasses{.columns = {whole.columns.front()}, .rows = {}};
    ofClasses.columns.insert(ofClasses.columns.end(), whole.columns.begin() + 2, whole.columns.end());
    for (std::size_t r = 4; r < whole.rows.size(); ++r) {
        const auto& row  = whole.rows[r];
        const bool alpha = r == 4;   // is known at once
        std::vector<Cell> cells{alpha ? Cell(tr("α, sum %1").arg(std::get<double>(row[1]), 0, 'g', 4).toStdString())
                                      : row[0]};
        for (std::size_t c = 2; c < row.size(); ++c)
            cells.push_back(known || alpha ? row[c] : Cell(std::string("…")));
        ofClasses.rows.push_back(std::move(cells));
    }
    m_numbers->setTable(ofClasses);
}

QString SimplexWorkbench::summary() const { return m_summary->text(); }

void SimplexWorkbench::showMistake(const QString& sentence)
{
    m_made.reset();
    m_known.reset();
    m_numberJob.cancel();
    Chart chart{.id = "simplex_by_hand", .title = "Simplex", .message = sentence.toStdString()};
    m_full = chart;
    if (m_state.source == Source::by_hand)
        m_boxes->setMistake(sentence);
    m_picture->setChart(chart);
    showTable();
}

/// The chart with the handles over its first panel.
void SimplexWorkbench::drawPicture()
{
    if (!m_made)
        return;
    Chart chart = m_made->chart;
    chart.id    = "simplex_by_hand";
    if (m_made->value && m_state.hand && !chart.panels.empty()) {
        auto& series = chart.panels.front().series;
        const Tone tone{Tone::Kind::accent};
        Line ellipse  = m_state.hand->ellipse();
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
        mark(m_state.hand->mean(), Marker::diamond, 9, Handle::mean);
    }
    m_picture->setChart(chart);
    const QRect room = m_picture->chartView()->panelRect(0);
    if (m_made->value
        && room
               != m_placedFor)   // handles keep their distance on screen: once more when the picture has found its place
        m_replace.start();
    m_placedFor = room;
}

/// Where the end of an axis is drawn: a little away from the mean, so that it can be grabbed however narrow the law is.
TrianglePlace SimplexWorkbench::shownEnd(int axis) const
{
    const auto& hand     = *m_state.hand;
    const auto mean      = hand.mean();
    const QPointF centre = m_picture->chartView()->positionOf(0, mean.first, mean.second);
    TrianglePlace end    = hand.end(axis);
    double length        = hand.length(axis);
    if (m_picture->chartView()->panelRect(0).isEmpty())
        return end;   // nothing is drawn yet
    for (int step = 0; step < 60; ++step) {
        const QPointF away = m_picture->chartView()->positionOf(0, end.first, end.second) - centre;
        if (std::hypot(away.x(), away.y()) >= leastAway || length > 50)
            break;
        length = 1.15 * length + 1e-3;
        end    = hand.with_length(axis, length).end(axis);
    }
    return end;
}

QPointF SimplexWorkbench::handlePosition(Handle handle) const
{
    if (!m_state.hand)
        return {};
    const auto place = handle == Handle::mean ? m_state.hand->mean() : shownEnd(handle == Handle::first_axis ? 0 : 1);
    return m_picture->chartView()->positionOf(0, place.first, place.second);
}

std::optional<SimplexWorkbench::Handle> SimplexWorkbench::handleAt(QPointF position) const
{
    if (!m_made || !m_made->value || !m_state.hand)
        return {};
    std::optional<Handle> found;
    double nearest = reach;
    for (const Handle handle : {Handle::mean, Handle::first_axis, Handle::second_axis}) {
        const QPointF away = handlePosition(handle) - position;
        if (const double distance = std::hypot(away.x(), away.y()); distance < nearest) {
            nearest = distance;
            found   = handle;
        }
    }
    return found;
}

void SimplexWorkbench::press(QPointF at)
{
    m_grabbed = handleAt(at);
    ++m_stroke;
    if (!m_grabbed)
        return;
    m_selected = *m_grabbed;
    if (*m_grabbed != Handle::mean) {
        const int axis   = *m_grabbed == Handle::first_axis ? 0 : 1;
        const auto way   = m_state.hand->towards(shownEnd(axis));
        const double far = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        m_grabScale      = far > 0 ? m_state.hand->length(axis) / far : 1;
    }
    drawPicture();
}

void SimplexWorkbench::drag(double first, double second)
{
    if (!m_grabbed || !m_state.hand)
        return;
    State after  = m_state;
    after.source = Source::by_hand;
    if (*m_grabbed == Handle::mean) {
        after.hand = m_state.hand->with_mean({first, second});
    } else {
        auto to = m_state.hand->towards({first, second});
        for (double& z : to)
            z *= m_grabScale;
        after.hand = m_state.hand->with_axis(*m_grabbed == Handle::first_axis ? 0 : 1, to);
    }
    setNote({});
    edit(after, *m_grabbed == Handle::mean ? tr("Simplex: drag the mean") : tr("Simplex: drag an axis"),
         QStringLiteral("drag %1").arg(m_stroke));
}

/// @return true: the key did something
bool SimplexWorkbench::nudge(int key, Qt::KeyboardModifiers modifiers)
{
    if (!m_made || !m_made->value || !m_state.hand)
        return false;
    const double step = modifiers.testFlag(Qt::ShiftModifier) ? 0.002 : 0.02;
    State after       = m_state;
    after.source      = Source::by_hand;
    if (key == Qt::Key_Space) {
        m_selected = static_cast<Handle>((static_cast<int>(m_selected) + 1) % 3);
        drawPicture();
        return true;
    }
    if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
        const double factor = key == Qt::Key_Plus ? 1.1 : 1 / 1.1;
        after.hand          = m_state.hand->with_length(0, factor * m_state.hand->length(0));
        after.hand          = after.hand->with_length(1, factor * m_state.hand->length(1));
    } else if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down) {
        const auto from = m_selected == Handle::mean ? m_state.hand->mean()
                                                     : shownEnd(m_selected == Handle::first_axis ? 0 : 1);
        auto place      = triangle_place(from.first, from.second);
        place.x += key == Qt::Key_Right ? step : key == Qt::Key_Left ? -step : 0;
        place.y += key == Qt::Key_Up ? step : key == Qt::Key_Down ? -step : 0;
        const auto to = triangle_probabilities(place.x, place.y);
        if (m_selected == Handle::mean) {
            after.hand = m_state.hand->with_mean(to);
        } else {
            const int axis   = m_selected == Handle::first_axis ? 0 : 1;
            const auto way   = m_state.hand->towards(from);
            const double far = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            auto wanted      = m_state.hand->towards(to);
            for (double& z : wanted)
                z *= far > 0 ? m_state.hand->length(axis) / far : 1;
            after.hand = m_state.hand->with_axis(axis, wanted);
        }
    } else {
        return false;
    }
    setNote({});
    edit(after, tr("Simplex: move by keys"), QStringLiteral("keys"));
    return true;
}

bool SimplexWorkbench::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_picture->chartView() && event->type() == QEvent::Resize)
        m_replace.start();
    if (watched == m_picture->chartView() && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) && nudge(key->key(), key->modifiers()))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

QString SimplexWorkbench::figureInFront() const
{
    return m_pages->currentIndex() == 0 ? QStringLiteral("simplex_by_hand") : QStringLiteral("beta");
}

void SimplexWorkbench::copyFigure()
{
    (m_pages->currentIndex() == 0 ? m_picture : m_beta->picture())->chartView()->copy();
}

bool SimplexWorkbench::busy() const { return m_densityJob.busy() || m_numberJob.busy() || m_beta->busy(); }
