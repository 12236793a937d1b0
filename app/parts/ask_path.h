// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

// Ask for a place on the disk in a dialog that opens and never blocks; `go` is called when one was chosen. What was chosen last is where the next
// one begins.

void askForFile(const QString& title, const QString& filter, QWidget* parent, std::function<void(const QString&)> go);
/// @param name    what the file is called, if the user gives it no other name
/// @param suffix  put behind a name that comes without it
void askWhereToSave(const QString& title, const QString& filter, const QString& name, const QString& suffix,
                    QWidget* parent, std::function<void(const QString&)> go);
/// @param from  where the dialog begins; empty: where the last one ended
void askForFolder(const QString& title, const QString& from, QWidget* parent, std::function<void(const QString&)> go);
