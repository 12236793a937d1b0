// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sweep_help.h"

#include <QCoreApplication>

QString sweepHelp()
{
    return QCoreApplication::translate(
        "SweepPage",
        "<p>One Study, run again and again with other settings: every value of one setting with every value of the others, each with several seeds. Each run is a <b>cell</b>, a row of the table, "
        "which fills itself.</p>"
        "<p><b>Base.</b> All settings that are not varied. <i>Take the Study of the window</i> makes it what the window has now; <i>Sweeps</i> has some that come with the program, opens files and saves "
        "what you made, for <code>credence sweep FILE</code> as well.</p>"
        "<p><b>What is varied.</b> Type a part of a setting's name and choose it. Values stand with commas, <code>0, 0.1, 0.2</code>, or as a range: <code>100 … 500 step 100</code>, "
        "<code>0.001 … 1 in 4 points, log</code>. Settings that are lists themselves have semicolons: <code>50; 50, 50</code>.</p>"
        "<p><b>Seeds.</b> A run depends on chance: starting weights, order of the minibatches, noise. Three seeds show how much. Tables and bands are mean ± standard deviation over them.</p>"
        "<p><b>Run</b> works on several cells at once. <b>Cancel</b> keeps what is done, and so does closing the program: <i>Run</i> goes on with what is missing. A value or a seed that is added later "
        "costs only its own cells.</p>"
        "<p><b>Cells.</b> A click on a heading sorts. A double click opens the run in the window, if runs are kept. <b>Summary</b>: mean and standard deviation of the chosen score. <b>Figure</b>: the score "
        "along a setting, training curves with bands, and more.</p>"
        "<p><b>Comparison.</b> Each seed of A is held against the same seed of B, so that what both have in common drops out. <i>±</i> is the half-width of the 95 % interval of the difference (paired t). "
        "<i>P(A better)</i> is the posterior probability that A is better on average over seeds; 50 % is a coin. <i>p</i> is the p value of this pair alone; <i>p (Holm)</i> is adjusted for the number of pairs in the table, "
        "and the words follow it. <i>Detectable</i> is the true difference that these seeds find with a probability of 80 %.</p>"
        "<p><b>Export</b> (Ctrl+E) writes tables as CSV and LaTeX and figures as PDF, SVG or PNG; each file carries the base Study. <i>Folder</i> has all cells with their scores.</p>");
}
