// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_thumbnails.h"

#include "widgets/chart_palette.h"

#include <QPainter>
#include <QPainterPath>
#include <QSvgRenderer>

#include <algorithm>
#include <iterator>

using namespace credence;

namespace {

/// Shapes of SVG Tiny on 56 × 36 units. Colours are named as in `coloured`.
struct ThumbnailKind {
    const char* name;
    const char* views;   ///< ids, separated by spaces
    const char* shapes;
};

constexpr ThumbnailKind thumbnailKinds[] = {
    {"map", "decision_map predictions",
     R"(<path fill="region1" d="M0 0H56V36H0z"/><path fill="region0" d="M0 0H33C14 10 44 24 25 36H0z"/>
        <path stroke="text" d="M33 0C14 10 44 24 25 36"/><g fill="class0"><circle cx="9" cy="9" r="2"/>
        <circle cx="17" cy="16" r="2"/><circle cx="8" cy="26" r="2"/><circle cx="20" cy="28" r="2"/></g>
        <g fill="class1"><circle cx="36" cy="8" r="2"/><circle cx="46" cy="13" r="2"/><circle cx="40" cy="23" r="2"/>
        <circle cx="48" cy="29" r="2"/></g>)"},
    {"maps", "laplace_maps compare_truth",
     R"(<path fill="region1" d="M4 4H26V32H4zM30 4H52V32H30z"/><path fill="region0"
        d="M4 4H18C8 14 20 22 12 32H4zM30 4H40C42 14 36 20 44 32H30z"/><path stroke="text"
        d="M18 4C8 14 20 22 12 32M40 4C42 14 36 20 44 32"/>)"},
    {"arrows", "attack_arrows attack_input",
     R"(<path fill="region1" d="M0 0H56V36H0z"/><path fill="region0" d="M0 0H33C14 10 44 24 25 36H0z"/>
        <path stroke="class0" stroke-width="1.6" d="M8 10L19 11M16 8L19 11L15.5 13M9 26L22 24M18.5 22L22
        24L19.5 27.5"/>
        <path stroke="class1" stroke-width="1.6" d="M48 8L34 10M37.5 7L34 10L38 12.5M50 27L37 24M40 22L37 24L39
        27.5"/>)"},
    {"band", "regression_band gp_reference slice", R"(<path fill="accent" fill-opacity=".25"
        d="M4 9C14 2 18 20 26 19C32 18 36 6 52 4V30C38 20 36 30 27 25C19 22 12 14 4 17z"/><path stroke="accent"
        stroke-width="1.8" d="M4 13C13 8 18 22 26 22C33 22 38 11 52 15"/><g fill="text"><circle cx="9" cy="12"
        r="1.5"/>
        <circle cx="14" cy="14" r="1.5"/><circle cx="19" cy="19" r="1.5"/><circle cx="25" cy="21" r="1.5"/>
        <circle cx="31" cy="22" r="1.5"/></g>)"},
    {"functions", "prior_predictive chain_functions",
     R"(<g stroke="accent" stroke-opacity=".7" stroke-width="1.2"><path d="M4 12C16 26 22 4 34 12S46 30 52 26"/>
        <path d="M4 27C14 20 22 26 31 17S45 5 52 8"/><path d="M4 19C15 6 24 30 35 23S46 15 52 17"/></g>
        <path stroke="class1" stroke-width="1.2" d="M4 23C14 34 20 13 31 21S44 21 52 31"/>)"},
    {"density", "one_weight prior_and_start",
     R"(<path stroke="muted" d="M4 31H52"/><path stroke="prior" stroke-width="1.4" d="M4 29C18 29 18 20 28
        20S38 29 52 29"/><path fill="posterior"
        fill-opacity=".25" d="M14 31C24 31 23 6 28 6S32 31 42 31z"/><path stroke="posterior" stroke-width="1.8"
        d="M14 31C24 31 23 6 28 6S32 31 42 31"/>)"},
    {"densities", "beta_marginals out_of_distribution beta",
     R"(<path stroke="muted" d="M4 31H52"/><path fill="region0" d="M6 31C17 31 15 7 20 7S24 31 36 31z"/>
        <path fill="class1" fill-opacity=".35" d="M18 31C31 31 30 15 37 15S42 31 51 31z"/><path stroke="class0"
        stroke-width="1.6" d="M6 31C17 31 15 7 20 7S24 31 36 31"/><path stroke="class1" stroke-width="1.6"
        d="M18 31C31 31 30 15 37 15S42 31 51 31"/>)"},
    {"histogram", "weights signal_to_noise list_lengths",
     R"(<path fill="accent" d="M7 27H11V31H7zM12 23H16V31H12zM17 16H21V31H17zM22 8H26V31H22zM27 5H31V31H27z
        M32 11H36V31H32zM37 20H41V31H37zM42 25H46V31H42z"/><path stroke="muted" d="M4 31H52"/>)"},
    {"stacks", "certainty",
     R"(<path fill="right" d="M8 14H15V31H8zM20 18H27V31H20zM32 22H39V31H32zM44 27H50V31H44z"/><path
        fill="wrong" d="M8 11H15V14H8zM20 12H27V18H20zM32 12H39V22H32zM44 11H50V27H44z"/>
        <path stroke="muted" d="M4 31H53"/>)"},
    {"bars", "influence compare_distances bridge_scores",
     R"(<path fill="accent" d="M8 5H50V10H8zM8 13H35V18H8zM8 21H24V26H8zM8 29H15V33H8z"/>
        <path stroke="muted" d="M7 3V34"/>)"},
    {"boxes", "boxplots truth_boxplots",
     R"(<g stroke-width="1.4"><path stroke="class0" d="M12 4V8M12 17V22"/><path stroke="class1"
        d="M28 12V17M28 26V32"/><path stroke="class2" d="M44 9V15M44 23V29"/></g><g stroke-width="1.4"><path
        fill="region0" stroke="class0" d="M7 8H17V17H7zM7 12H17"/><path fill="region1" stroke="class1"
        d="M23 17H33V26H23zM23 22H33"/><path fill="region2" stroke="class2" d="M39 15H49V23H39zM39 18H49"/></g>)"},
    {"intervals", "intervals layers",
     R"(<path stroke="muted" stroke-dasharray="2 2.5" d="M24 4V32"/><g stroke-width="1.8"><path
        stroke="class0" d="M14 8H32"/><path stroke="class1" d="M26 18H48"/><path stroke="class2" d="M7 28H21"/></g>
        <circle fill="class0" cx="22" cy="8" r="2.7"/><circle fill="class1" cx="38" cy="18" r="2.7"/>
        <circle fill="class2" cx="14" cy="28" r="2.7"/>)"},
    {"scatter", "observed_predicted human_labels",
     R"(<path stroke="muted" d="M8 33L48 3"/><g fill="accent"><circle cx="12" cy="27" r="1.9"/>
        <circle cx="17" cy="29" r="1.9"/><circle cx="20" cy="21" r="1.9"/><circle cx="26" cy="22" r="1.9"/>
        <circle cx="29" cy="15" r="1.9"/><circle cx="35" cy="16" r="1.9"/><circle cx="37" cy="8" r="1.9"/>
        <circle cx="44" cy="9" r="1.9"/></g>)"},
    {"residuals", "residuals loo",
     R"(<path fill="accent" fill-opacity=".15" d="M4 11H52V25H4z"/><path stroke="muted" d="M4 18H52"/>
        <g fill="accent"><circle cx="9" cy="16" r="1.9"/><circle cx="15" cy="22" r="1.9"/><circle cx="20"
        cy="13" r="1.9"/>
        <circle cx="27" cy="20" r="1.9"/><circle cx="33" cy="29" r="1.9"/><circle cx="38" cy="14" r="1.9"/>
        <circle cx="43" cy="7" r="1.9"/><circle cx="48" cy="21" r="1.9"/></g>)"},
    {"clusters", "embedding points_map",
     R"(<g fill="class0"><circle cx="11" cy="9" r="1.9"/><circle cx="16" cy="13" r="1.9"/>
        <circle cx="9" cy="15" r="1.9"/><circle cx="18" cy="7" r="1.9"/></g><g fill="class1"><circle cx="40"
        cy="10" r="1.9"/>
        <circle cx="46" cy="14" r="1.9"/><circle cx="39" cy="17" r="1.9"/><circle cx="47" cy="7" r="1.9"/></g><g
        fill="class2"><circle cx="25" cy="27" r="1.9"/><circle cx="31" cy="24" r="1.9"/><circle cx="30" cy="30"
        r="1.9"/>
        <circle cx="21" cy="31" r="1.9"/></g>)"},
    {"training", "training_curves overlay_training_curves layers_over_training",
     R"(<path stroke="muted" d="M6 4V31H52"/><g stroke-width="1.8"><path stroke="test"
        d="M8 6C12 20 20 22 28 21S42 18 52 17"/><path stroke="training" d="M8 6C11 24 20 27 52 28"/></g>)"},
    {"schedule", "schedule", R"(<path stroke="muted" d="M4 31H52"/><path stroke="accent" stroke-width="1.8"
        d="M5 7C14 7 12 27 20 27V7C29 7 27 27 35 27V7C44 7 42 27 50 27"/><g fill="text"><circle cx="16" cy="31"
        r="1.7"/>
        <circle cx="20" cy="31" r="1.7"/><circle cx="31" cy="31" r="1.7"/><circle cx="35" cy="31" r="1.7"/>
        <circle cx="46" cy="31" r="1.7"/><circle cx="50" cy="31" r="1.7"/></g>)"},
    {"rising", "roc risk_coverage",
     R"(<path stroke="muted" d="M8 31L48 4"/><path stroke="muted" d="M8 4V31H48"/><path stroke="accent"
        stroke-width="1.8" d="M8 31C9 12 16 6 48 4"/>)"},
    {"calibration", "calibration conformal",
     R"(<path stroke="muted" stroke-dasharray="2 2.5" d="M8 32L48 4"/><g fill="accent" fill-opacity=".3"><path
        d="M9 30H16V33H9zM17 26H24V33H17zM25 22H32V33H25zM33 17H40V33H33zM41 11H48V33H41z"/></g><path
        stroke="accent" stroke-width="1.8" d="M9 30H16M17 26H24M25 22H32M33 17H40M41 11H48"/>)"},
    {"peak", "laplace_evidence",
     R"(<path stroke="muted" d="M6 4V31H52M31 8V31"/><path stroke="accent" stroke-width="1.8"
        d="M8 27C20 26 23 8 31 8S40 18 50 19"/><circle fill="text" cx="31" cy="8" r="2.7"/>)"},
    {"valley", "recalibration",
     R"(<path stroke="muted" d="M6 4V31H52M24 24V31"/><path stroke="accent" stroke-width="1.8"
        d="M9 6C12 18 18 24 24 24S40 17 51 9"/><circle fill="background" stroke="accent" stroke-width="1.8"
        cx="24" cy="24" r="2.7"/>)"},
    {"degrading", "disturbance_curve attack_curve corruptions pruning_curve",
     R"(<path stroke="muted" d="M6 4V31H52"/><g stroke-width="1.8"><path stroke="class0"
        d="M8 7C26 7 24 27 50 27"/><path stroke="class1" d="M8 27C26 27 26 11 50 10"/></g>)"},
    {"funnel", "enough_samples",
     R"(<path fill="accent" fill-opacity=".25" d="M6 4C14 13 26 15 52 16V20C26 21 14 23 6 32z"/><path
        stroke="accent" stroke-width="1.8" d="M6 10C9 26 13 14 18 19S28 17 52 18"/>)"},
    {"matrix", "confusion",
     R"(<path fill="heat3" d="M12 3H22V13H12zM23 13.5H33V23H23zM34 23.5H44V33H34z"/><path fill="heat1"
        d="M23 3H33V13H23zM12 13.5H22V23H12z"/><path fill="heat0"
        d="M34 3H44V13H34zM34 13.5H44V23H34zM12 23.5H22V33H12zM23 23.5H33V33H23z"/>)"},
    {"network", "network",
     R"(<path stroke="muted" stroke-width=".8" d="M8 12L28 6M8 12L28 18M8 12L28 30M8 24L28 6M8 24L28 18M8 24L28 30
        M28 6L48 18M28 30L48 18"/><path stroke="accent" stroke-width="2.2" d="M28 18L48 18"/><g fill="class0"><circle
        cx="8" cy="12" r="3"/><circle cx="8" cy="24" r="3"/><circle cx="28" cy="6" r="3"/><circle cx="28"
        cy="18" r="3"/>
        <circle cx="28" cy="30" r="3"/><circle cx="48" cy="18" r="3"/></g>)"},
    {"simplex", "simplex simplex_by_hand",
     R"(<path fill="region0" stroke="text" d="M28 4L46 32H10z"/><path fill="accent" fill-opacity=".25"
        d="M27 14C33 14 38 24 35 27S22 28 21 25S23 14 27 14z"/><path fill="accent" fill-opacity=".6"
        d="M28 18C31 18 33 23 31 25S25 25 25 23S26 18 28 18z"/>)"},
    {"images", "image_list certain_but_wrong nearest_images prepared_images image",
     R"(<g fill="grid"><path d="M5 4H19V17H5zM21 4H35V17H21zM37 4H51V17H37zM5 19H19V32H5zM21 19H35V32H21z
        M37 19H51V32H37z"/></g><g stroke="text" stroke-width="1.8"><path d="M12 7V14"/><path d="M25 9C26 6 31 6
        31 9C31 11 25 12 25 14H31"/>
        <path d="M41 7H47L44 10C48 10 48 14 41 14"/><path d="M11 22L9 27H15M14 24V29"/>
        <path d="M31 22H26V25C32 24 32 29 25 29"/><path d="M41 22H47L43 29"/></g>)"},
    {"pixels", "which_pixels kernels",
     R"(<path fill="heat0" d="M14 4H42V32H14z"/><path fill="heat1" d="M21 4H35V11H21zM14 11H21V25H14zM35
        18H42V25H35z"/>
        <path fill="heat2" d="M28 4H35V11H28zM21 18H28V32H21z"/><path fill="heat3" d="M21 11H28V18H21zM28
        18H35V25H28z"/>
        <path fill="heat4" d="M28 11H35V18H28z"/>)"},
    {"table", "test_rows scores chain_convergence",
     R"(<path fill="grid" d="M5 5H51V12H5z"/><path stroke="muted" d="M5 5H51V32H5zM5 12H51M5 19H51M5 25.5H51M20 5V32
        M36 5V32"/><path stroke="accent" stroke-width="1.8" d="M8 15.5H15M24 15.5H32M40 15.5H46M8 22.5H13M24
        22.5H30M40 22.5H48"/>)"},
    {"words", "verdict",
     R"(<circle fill="class0" cx="10" cy="9" r="3.5"/><path stroke="text" stroke-width="2.2" d="M18 9H46"/>
        <path stroke="muted" stroke-width="1.8" d="M7 18H49M7 24H44M7 30H34"/>)"},
    {"landscape", "landscape",
     R"(<path fill="heat1" d="M0 0H56V36H0z"/><path fill="heat2" d="M5 22C2 8 18 2 32 4S56 16 49 27S10 36 5 22z"/>
        <path fill="heat3" d="M14 20C13 11 22 8 32 10S47 18 41 25S16 29 14 20z"/><path fill="heat4"
        d="M25 19C25 15 29 14 33 15S38 20 35 22S26 23 25 19z"/><path stroke="background" stroke-width="1.6"
        d="M6 6L14 12L19 10L24 17L31 18.5"/><circle fill="background" cx="31" cy="18.5" r="2.2"/>)"},
    {"traces", "chain_traces",
     R"(<g stroke-width="1.3"><path stroke="class0" d="M4 20L7 12L10 23L13 14L16 19L19 9L22 21L25 15L28 24L31 13L34 18
        L37 10L40 20L43 14L46 22L49 13L52 17"/><path stroke="class1" d="M4 26L7 17L10 14L13 24L16 12L19 18L22
        13L25 25L28 16L31 21
        L34 11L37 23L40 15L43 24L46 12L49 20L52 11"/></g>)"},
};

const ThumbnailKind* kindNamed(const QString& name)
{
    const auto found = std::find_if(std::begin(thumbnailKinds), std::end(thumbnailKinds),
                                    [&](const ThumbnailKind& kind) { return name == QLatin1String(kind.name); });
    return found == std::end(thumbnailKinds) ? nullptr : &*found;
}

/// Replaces the names of colours by those of the palette.
QByteArray coloured(QByteArray svg, const ChartPalette& colours)
{
    const auto replace = [&svg](const QByteArray& name, const QColor& colour) {
        svg.replace('"' + name + '"', '"' + colour.name().toLatin1() + '"');
    };
    replace("background", colours.background);
    replace("text", colours.text);
    replace("muted", colours.muted);
    replace("grid", colours.grid);
    replace("accent", colours.accent);
    replace("prior", colours.prior);
    replace("posterior", colours.posterior);
    replace("training", colours.training);
    replace("test", colours.test);
    replace("right", colours.right);
    replace("wrong", colours.wrong);
    for (int k = 0; k < 3; ++k) {
        replace("class" + QByteArray::number(k), colours.category(k));
        replace("region" + QByteArray::number(k), colours.region(k));
    }
    for (int k = 0; k < n_levels; ++k)
        replace("heat" + QByteArray::number(k), colours.colour({Tone::Kind::level, k}));
    return svg;
}

}   // namespace

QStringList view_thumbnails::kinds()
{
    QStringList names;
    for (const auto& kind : thumbnailKinds)
        names += QLatin1String(kind.name);
    return names;
}

QString view_thumbnails::kindOf(const QString& id)
{
    for (const auto& kind : thumbnailKinds)
        if (QString::fromLatin1(kind.views).split(QLatin1Char(' ')).contains(id))
            return QLatin1String(kind.name);
    return {};
}

QByteArray view_thumbnails::svgOf(const QString& kind, const ChartPalette& colours)
{
    const auto* found = kindNamed(kind);
    return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 36">
        <g fill="none" stroke-linecap="round" stroke-linejoin="round">)"
           + coloured(found ? found->shapes : "", colours) + "</g></svg>";
}

void view_thumbnails::paint(QPainter& painter, const QRectF& box, const QString& id, const ChartPalette& colours)
{
    constexpr double corner = 4;
    QPainterPath frame;
    frame.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(frame, laidOver(colours.text, colours.background, 0.04));
    painter.save();
    painter.setClipPath(frame);
    QSvgRenderer drawing(svgOf(kindOf(id), colours));
    drawing.render(&painter, box);
    painter.restore();
    painter.strokePath(frame, laidOver(colours.text, colours.background, 0.2));
    painter.restore();
}
