// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariant>

/// A saved choice of the window: key and default.
template <class T>
struct Setting {
    QString key;
    T fallback;
};

/// Window settings that persist between starts: $XDG_STATE_HOME/credence/org.credence.Credence.ini
QSettings& stateFile();

template <class T>
T read(const Setting<T>& setting)
{
    return stateFile().value(setting.key, QVariant::fromValue(setting.fallback)).template value<T>();
}
template <class T>
void write(const Setting<T>& setting, const T& value)
{
    stateFile().setValue(setting.key, QVariant::fromValue(value));
}

/// Window states, one folder per window: $XDG_STATE_HOME/credence/windows
QString windowsFolder();
/// Unsaved Studies of replaced documents: $XDG_STATE_HOME/credence/unsaved
QString unsavedStudiesFolder();

/// Saved runs: $XDG_DATA_HOME/credence/runs
QString runsFolder();
/// Index of the saved runs, so that the list loads at once: $XDG_CACHE_HOME/credence/runs.sqlite
QString runsIndexFile();
/// Small pictures of the saved runs: $XDG_CACHE_HOME/credence/thumbnails
QString thumbnailsFolder();
/// Checkpoints of runs in progress, one folder per run: $XDG_DATA_HOME/credence/runs-in-progress
QString runsInProgressFolder();

/// Cells of the window's sweeps, one folder per base: $XDG_DATA_HOME/credence/sweeps
QString sweepsFolder();
QString tablesFolder();   ///< tables pasted from the clipboard

/// The last sweep of the sweep page.
QString lastSweepFile();

namespace settings {

/// A layout of another version is discarded completely, never applied in part.
inline constexpr int layoutVersion = 3;

inline const Setting<int> layout{"layout/version", 0};
inline const Setting<QByteArray> geometry{"layout/geometry", {}};
inline const Setting<QByteArray> workbench{"layout/workbench", {}};
inline const Setting<QByteArray> arrangements{"layout/arrangements", {}};   ///< by name, as JSON
/// User-defined column widths of a table, by title: JSON, in units of line height.
inline Setting<QByteArray> columns(const QString& table) { return {"layout/columns/" + table, {}}; }
/// Sizes of the parts of a splitter: JSON, in pixels; only their proportions matter.
inline Setting<QByteArray> splitter(const QString& name) { return {"layout/splitters/" + name, {}}; }
inline const Setting<QString> theme{"view/theme", QStringLiteral("desktop")};   ///< desktop, light or dark
/// percent of the desktop's text size
inline const Setting<int> textSize{"view/text_size", 100};
inline const Setting<QStringList> recentStudies{"study/recent", {}};
inline const Setting<int> recentLimit{"study/recent_limit", 8};
inline const Setting<QStringList> recentCommands{"window/recent_commands", {}};   ///< of the palette, newest first
inline const Setting<QString> openLine{"study/open", {}};   ///< name of the open line of the Study panel
inline const Setting<QString> lastFolder{"files/last_folder", {}};
inline const Setting<int> liveCells{"view/live_cells", 50};       ///< cells along each side of a map during training
inline const Setting<int> liveSamples{"view/live_samples", 40};   ///< weight samples per chart during training
inline const Setting<int> draftSamples{"view/draft_samples",
                                       50};   ///< weight samples per chart while an image is drawn or perturbed
inline const Setting<int> mapCells{"view/map_cells", 100};
inline const Setting<QString> mapQuantity{"view/map_quantity",
                                          QStringLiteral("predictive_entropy")};   ///< credence::name_of
inline const Setting<int> trainingSpeed{"view/training_speed", 0};                 ///< steps per second; 0: full speed
inline const Setting<QString> bridgeVariant{"view/bridge_variant", QStringLiteral("projected")};   ///< a credence::name
/// "usual", "linearisation" or "draws"
inline const Setting<QString> logitsBy{"view/logits_by", QStringLiteral("usual")};
inline const Setting<int> imageSide{"view/image_side", 56};   ///< longer edge of an image in the image grid, pixels
/// Parts of the window shown in lecture mode.
inline const Setting<QStringList> lectureDocks{"lecture/docks", {"inputDock"}};
inline const Setting<int> lectureType{"lecture/type", 150};     ///< percent of the usual text size
inline const Setting<bool> lectureRing{"lecture/ring", true};   ///< around the pointer
inline const Setting<bool> lectureBlackOnWhite{"lecture/black_on_white", true};
inline const Setting<double> exportWidth{"export/width_mm", 120};
inline const Setting<double> exportHeight{"export/height_mm", 80};
inline const Setting<int> exportDpi{"export/dpi", 300};
inline const Setting<double> exportFont{"export/font_pt", 8.25};   ///< font size of figures, points
inline const Setting<bool> exportTitle{"export/title", false};     ///< title above the figure
inline const Setting<bool> exportTable{"export/table", true};      ///< of a figure with panels, below them
inline const Setting<double> filmSpeed{"export/film_speed", 10};   ///< frames per second
inline const Setting<QString> exportCaption{"export/caption",
                                            {}};   ///< caption file next to each figure: txt or tex; empty: none
inline const Setting<QStringList> exportFormats{"export/formats", {"pdf"}};
inline const Setting<QStringList> reportFormats{"export/report_formats", {"pdf", "html"}};
inline const Setting<QStringList> reportLeftOut{"export/report_left_out", {}};   ///< deselected chapters and figures

}   // namespace settings
