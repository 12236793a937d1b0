// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

// Ask for a place on the disk in a dialog that opens and never blocks; `go` is called when one was chosen. What was chosen last is where the next
// one begins.

void askForFile(const QString& title, const QString& filter, QWidget* parent, std::function<void(const QString&)> go);
/// @param from  where the dialog begins; empty: where the last one ended
void askForFolder(const QString& title, const QString& from, QWidget* parent, std::function<void(const QString&)> go);
