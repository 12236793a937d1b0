// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sweep_help.h"

#include <QCoreApplication>

QString sweepHelp()
{
    return QCoreApplication::translate(
        "SweepPage",
        "<p>A sweep runs one Study with different settings: every combination of the values, each with several "
        "seeds. Each run is a <b>cell</b>, one row of the table.</p><p><b>Base.</b> All settings that are not "
        "varied. <i>Use current Study</i> copies the Study of the window; <i>Sweeps</i> loads built-in sweeps, "
        "opens files and saves your sweep, also for <code>credence sweep FILE</code>.</p><p><b>Varied "
        "settings.</b> Type part of a setting's name and choose it. Separate values by commas, <code>0, 0.1, "
        "0.2</code>, or enter a range: <code>100 … 500 step 100</code>, <code>0.001 … 1 in 4 points, log</code>. "
        "For settings that are lists, separate values by semicolons: <code>50; 50, 50</code>.</p><p><b>Seeds.</b> "
        "A run depends on random numbers: starting weights, order of the minibatches, noise. Three seeds show by "
        "how much. Tables and bands are mean ± standard deviation over the seeds.</p><p><b>Run</b> works on "
        "several cells at once. <b>Cancel</b> keeps the finished cells, and so does quitting; <i>Run</i> continues "
        "with the missing ones. A value or seed that you add later runs only its own cells.</p><p><b>Cells.</b> "
        "Click a heading to sort. Double-click a cell to open its run in the window, if runs are saved. "
        "<b>Summary</b>: mean and standard deviation of the selected score. <b>Figure</b>: the score along a "
        "setting, training curves with bands, and more.</p><p><b>Comparison.</b> Each seed of A is compared with "
        "the same seed of B, so that common variation cancels. <i>±</i> is the half-width of the 95 % interval of "
        "the difference (paired t). <i>P(A better)</i> is the posterior probability that A is better on average "
        "over seeds; 50 % means no evidence. <i>p</i> is the p value of this pair alone; <i>p (Holm)</i> is "
        "adjusted for the number of pairs in the table, and the verdict follows it. <i>Detectable</i> is the true "
        "difference that is detected with a power of 80 % at this number of seeds.</p><p><b>Export</b> (Ctrl+E) "
        "writes tables as CSV and LaTeX and figures as PDF, SVG or PNG; each file contains the base Study. "
        "<i>Folder</i> contains all cells with their scores.</p>");
}
