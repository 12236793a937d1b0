// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <QObject>

#include <optional>
#include <vector>

class Session;
class StudyEditor;

/// Points drawn by hand. The first stroke turns the toy data on show into drawn points; each stroke is one step of undo. A run that goes on stands
/// while a stroke is drawn and goes on with the new points when it ends; one that cannot ends, and another begins with its net.
class DrawnPoints : public QObject {
    Q_OBJECT
public:
    DrawnPoints(Session& session, StudyEditor& editor, QObject* parent = nullptr);

    void draw(double x, double y, int label, int stroke);
    void erase(double x, double y, double radiusX, double radiusY, int stroke);
    /// Takes the nearest point within these radii, which `move` moves then; none: nothing is moved.
    void grab(double x, double y, double radiusX, double radiusY);
    void move(double x, double y, int stroke);
    /// Leaves two points of each class (regression: four), so that there is always something to train on.
    void clear();
    void endStroke();

signals:
    void said(const QString& sentence);

private:
    credence::Study studyWithPoints() const;
    std::vector<credence::DrawnPoint> pointsOfNow() const;
    bool displaysOther();
    bool holdRun();
    void interruptRun();
    bool eraseOnTheWay(double x, double y, double radiusX, double radiusY, const QString& key);

    Session& m_session;
    StudyEditor& m_editor;
    std::optional<credence::DrawnPoint> m_grabbed;
    bool m_resumeAfterStroke = false;
};
