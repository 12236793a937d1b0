// SPDX-License-Identifier: GPL-3.0-or-later
// The tab *Image* of the chosen input: there for data that are images.
#include "window/main_window.h"

#include "docks/prediction_area.h"
#include "docks/view_panel.h"
#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/image_workbench.h"
#include "session/settings.h"
#include "tools/simplex_workbench.h"

#include "views/image_rows.h"

#include <QComboBox>
#include <QDockWidget>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>

using namespace credence;

namespace {
constexpr int lowWindow = 950;   ///< below this height picture, verdict and layers do not fit over one another
}

QTabWidget* MainWindow::addImageTab(QTabWidget* tabs)
{
    tabs->setObjectName(QStringLiteral("inputTabs"));
    m_image = new ImageWorkbench(this);
    m_image->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    qobject_cast<QStackedWidget*>(tabs->cornerWidget())->insertWidget(0, new QWidget(tabs));   // its tools stand inside
    tabs->insertTab(0, m_image, tr("Image"));
    tabs->setTabToolTip(0, tr("The chosen image, large; draw one, disturb one"));
    tabs->setTabVisible(0, false);
    tabs->setCurrentIndex(1);
    connect(m_image, &ImageWorkbench::wished, this, &MainWindow::takeImage);
    connect(m_image, &ImageWorkbench::viewsChanged, this, &MainWindow::requestImage);
    connect(m_image, &ImageWorkbench::becameVisible, this, &MainWindow::requestImage);
    connect(m_image, &ImageWorkbench::exportRequested, this, &MainWindow::exportDialog);

    auto* sweep = new QComboBox(this);
    sweep->setObjectName(QStringLiteral("sweep"));
    sweep->setAccessibleName(tr("What the curve goes over"));
    for (const auto& [which, title] : {std::pair{Sweep::rotation, tr("Rotation")},
                                       {Sweep::scale, tr("Scale")},
                                       {Sweep::right, tr("Shift to the right")},
                                       {Sweep::down, tr("Shift downwards")},
                                       {Sweep::blur, tr("Blur")},
                                       {Sweep::noise, tr("Noise")},
                                       {Sweep::morph, tr("Morph")}})
        sweep->addItem(title, static_cast<int>(which));
    connect(sweep, &QComboBox::currentIndexChanged, this, [this, sweep] {
        m_options.sweep = static_cast<Sweep>(sweep->currentData().toInt());
        request({panel(QStringLiteral("disturbance_curve"))});
    });
    panel(QStringLiteral("disturbance_curve"))->addControl(sweep);
    return tabs;
}

/// Pages of pictures stand in the centre, where there is room for them.
void MainWindow::addImagePages()
{
    for (const auto& [id, title] :
         {std::pair{"certain_but_wrong", tr("Certain but wrong")}, {"image_list", tr("By doubt")}}) {
        auto* view = addView(id);
        images()->pages()->setTabToolTip(images()->pages()->addTab(view, title),
                                         QString::fromStdString(view->view().title));
    }
}

/// What Ctrl+E offers first: the picture in the centre.
QString MainWindow::centreView() const
{
    if (m_centre->currentWidget() == m_simplex)
        return m_simplex->figureInFront();
    if (const auto* page = qobject_cast<ViewPanel*>(m_centre->currentWidget()))
        return QString::fromStdString(page->view().id);
    if (m_predictions->comparing())
        return QStringLiteral("compare_decision_maps");
    if (!m_predictions->showsImages())
        return QString::fromStdString(m_predictions->picture()->view().id);
    const auto* page = qobject_cast<ViewPanel*>(images()->pages()->currentWidget());
    return page ? QString::fromStdString(page->view().id)
                : QStringLiteral("boxplots");   // the grid is no figure: then of the image chosen in it
}

void MainWindow::fitImageTab(const Experiment& experiment)
{
    auto* tabs          = m_tabs.front();
    const bool images   = has_images(experiment);
    const bool wasThere = tabs->isTabVisible(tabs->indexOf(m_image));
    tabs->setTabVisible(tabs->indexOf(m_image), images);
    const auto policy = images ? QSizePolicy::Preferred
                               : QSizePolicy::Ignored;   // where it is not shown it claims no room
    m_image->setSizePolicy(policy, policy);
    if (images == wasThere)
        return;
    tabs->setCurrentIndex(images ? tabs->indexOf(m_image) : 1);
    auto* input   = findChild<QDockWidget*>(QStringLiteral("inputDock"));
    auto* layers  = findChild<QDockWidget*>(QStringLiteral("layersDock"));
    auto* weights = findChild<QDockWidget*>(QStringLiteral("weightsDock"));
    if (input->isFloating() || layers->isFloating() || weights->isFloating())
        return;
    const bool stacked = tabifiedDockWidgets(input).contains(layers);
    const int wide     = std::min(560, width() * 33 / 100);
    if (images && input->width() < wide)   // room for the picture beside its boxplots
        resizeDocks({input}, {wide}, Qt::Horizontal);
    if (images && !stacked && height() < lowWindow && tabifiedDockWidgets(layers).contains(weights)) {
        tabifyDockWidget(layers, input);   // three tabs of the whole height
        input->raise();
    } else if (!images && stacked) {
        splitDockWidget(input, layers, Qt::Vertical);
        tabifyDockWidget(layers, weights);
        layers->raise();
    } else if (images && !stacked) {
        resizeDocks({input, layers}, {3 * height() / 4, height() / 4}, Qt::Vertical);
    }
}

/// What the user drew or did to an image becomes the one chosen input of the window.
void MainWindow::takeImage(const ImageWish& wish)
{
    m_options.input       = wish.input;
    m_options.input_name  = wish.name;
    m_options.input_label = wish.label;
    if (wish.base_row) {   // the number and the grid's mark stay with the image that is under the hands
        m_options.row = static_cast<std::size_t>(*wish.base_row);
        const QSignalBlocker quiet(m_inputRow);
        m_inputRow->setValue(*wish.base_row);
        images()->grid()->choose(m_fitted && m_fitted->data->test.n_rows == 0 ? ImagePart::training : ImagePart::test,
                                 static_cast<std::uint32_t>(*wish.base_row));
    } else if (wish.own) {
        images()->grid()->chooseNone();
    }
    describeInput();
    if (!wish.draft)
        return requestInput();
    const auto moment = m_session.moment();
    if (!moment.experiment)
        return;
    const int draws = std::min(moment.experiment->study.prediction.samples, read(settings::draftSamples));
    auto requests   = imageRequests(draws);
    for (const auto& [place, view] : m_panels)
        if (view->view().needs_input && view->view().id != "disturbance_curve" && view->isVisible()
            && view->view().applies(*moment.experiment)) {
            auto options    = optionsFor(view->view());
            options.samples = draws;
            requests.push_back(requestFor(place, view->view(), options));
        }
    m_views.submit(
        std::move(requests),
        ViewScheduler::Kind::live);   // what is being made is finished: the pictures keep coming while the hand moves
}

/// @param samples  weight draws; 0: all of the study
std::vector<ViewScheduler::Request> MainWindow::imageRequests(int samples)
{
    std::vector<ViewScheduler::Request> requests;
    const auto moment = m_session.moment();
    if (!m_image->isVisible() || !moment.experiment || !has_images(*moment.experiment))
        return requests;
    auto options    = optionsNow();
    options.samples = samples;
    options.picture = false;   // it stands beside them
    for (const auto& id : m_image->wantedViews())
        requests.push_back(
            requestFor(QStringLiteral("image/") + QString::fromStdString(id), credence::view(id), options));
    return requests;
}

void MainWindow::requestImage()
{
    m_views.submit(imageRequests(0), m_session.live() ? ViewScheduler::Kind::live : ViewScheduler::Kind::still);
}
