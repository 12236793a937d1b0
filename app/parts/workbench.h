// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class AreaSplits;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QuietParts;
class Rail;
class WindowPart;
class WorkspaceStack;

/// The window below its toolbar. From left to right: the rail with the workspaces, an open lesson,
/// the Study, the stage with its charts and the drawer below it, and the inspector, which follows
/// the selected input. The Study and the inspector can be folded to strips. If the stage would get
/// less than 55 % of the width, only the panel opened last stays open; with very large text, both
/// are folded until the user opens one.
class Workbench : public QWidget {
    Q_OBJECT
public:
    enum class Place { lesson, study, inspector, drawer };

    /// @param middle  the charts in the middle of the stage
    Workbench(QWidget* middle, QWidget* parent);
    ~Workbench() override;

    /// Returns a size that lets the window fit a small screen: with large text, the parts need more
    /// space and shrink.
    QSize minimumSizeHint() const override;

    WindowPart* add(const QString& name, const QString& title, const QString& icon, QWidget* content, Place place);
    const std::vector<WindowPart*>& parts() const { return m_parts; }
    WindowPart* part(const QString& name) const;
    Rail& rail() const { return *m_rail; }
    /// The charts including the drawer, or a page that replaces them together with the Study and
    /// the inspector.
    WorkspaceStack& pages() const { return *m_pages; }
    Rail& studyStrip() const { return *m_studyStrip; }

    bool isOpen(const WindowPart& part) const;   ///< true if its content is visible whenever the window is
    void setOpen(WindowPart& part, bool open);
    /// Opens the inspector, unless the user has already opened or closed it.
    void inspect();
    /// Shows all entries of the inspector's strip and of the drawer; initially only one of each is
    /// shown
    void showAllEntries();
    void setImages(bool images);   ///< the inspector gets room for an image next to its boxplots
    void setTable(bool table);     ///< the first part of the inspector gets more height, for the inputs of a table
    /// Moves these parts below the charts of the stage; all other parts return to their places.
    void setOnStage(const QStringList& parts);
    /// Shows only the part or area of the stage under this widget; when called again, shows all
    /// parts.
    void toggleAlone(const QWidget* under);
    void endAlone(const QWidget& inside);   ///< if this widget is in the part that is shown alone, does nothing

    void fold(const QStringList& parts);   ///< parts of the inspector that are folded at first
    void arrange();                        ///< after all parts were added
    /// Sets the areas in the middle of the stage, whose state is saved with that of the parts.
    void setAreas(AreaSplits& areas) { m_areas = &areas; }
    void reset();     ///< restores the initial arrangement
    void openAll();   ///< Study, inspector and drawer
    /// Shows only these parts, and the lesson if it is open, until `restoreParts`. A page stays in front.
    void setAside(const QStringList& shown);
    /// @return  the parts that were shown until now
    QStringList restoreParts();
    QJsonObject state() const;   ///< of the arrangement, also while `setAside` is in effect
    void restore(const QJsonObject& state);
    /// The stage with the headers of its charts, without the drawer, in window coordinates.
    QRect stageRect() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct State {
        bool lesson = false, study = true, inspector = false, drawer = false;
        bool inspected  = false;   ///< the user has opened or closed the inspector
        bool studyLast  = true;    ///< the Study was opened after the inspector
        bool studyAsked = false;   ///< the user has opened the Study, so that it may exceed its share
        QStringList folded{};      ///< parts of the inspector
        QString front{};           ///< part in the drawer
        int lessonWidth = 0, studyWidth = 0, inspectorWidth = 0, drawerHeight = 0;   ///< at 100 % text; 0: the usual
    };
    struct Open {
        bool study, inspector;
    };
    Open open() const;           ///< the parts for which there is space
    bool fit(int sides) const;   ///< true if the stage keeps its share next to the rail and these sides
    bool bothFit() const;
    bool fitsNextToLesson(Place side) const;
    int widthOf(Place place) const;
    Place home(const WindowPart& part) const { return m_home.at(&part); }
    bool onStage(const WindowPart& part) const;
    void changeState(WindowPart& part, bool open);
    void openInspector();
    void layOut();
    void placePart(WindowPart& part);
    void layOutSides();
    void layOutInspector();
    void shareAnew();
    void layOutDrawer();
    void share();
    void rememberSizes();
    void setWindow(WindowPart& part, bool own);

    QWidget* m_middle;
    AreaSplits* m_areas = nullptr;   ///< null: not yet
    Rail *m_rail, *m_studyStrip, *m_inspectorStrip;
    QSplitter *m_split, *m_column, *m_stage, *m_inspector;
    QWidget *m_lessonSide, *m_studySide, *m_inspectorSide, *m_studyBody, *m_inspectorBody, *m_drawerBar;
    WorkspaceStack* m_pages;
    QStackedWidget* m_drawer;
    QuietParts *m_quietStrip, *m_quietDrawer;   ///< entries after the first
    std::vector<WindowPart*> m_parts;
    std::map<const WindowPart*, Place> m_home;
    std::map<const WindowPart*, QWidget*> m_windows;   ///< of parts that have one of their own
    std::map<const WindowPart*, QToolButton*> m_drawerButtons;
    State m_state;
    std::optional<State> m_aside;   ///< what `restoreParts` restores
    QStringList m_onStage;
    QJsonObject m_first;
    QList<int> m_shared;   ///< kinds of parts when the heights of the inspector were shared
    bool m_images = false, m_table = false;
    const QWidget* m_alone = nullptr;   ///< the middle or a part; null: all
    QTimer m_inspectAgain;              ///< checks whether the mouse button has been released
};
