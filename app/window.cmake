# SPDX-License-Identifier: GPL-3.0-or-later
# The window as a library, so that tests click through the same one.
add_library(credence_app STATIC
    app.qrc
    docks/centre.cpp
    docks/comparison.cpp
    docks/dock_layout.cpp
    docks/figure_export.cpp
    docks/image_tab.cpp
    docks/input_dock.cpp
    docks/laplace_panel.cpp
    docks/laws.cpp
    docks/layers_dock.cpp
    docks/messages.cpp
    docks/picture_desk.cpp
    docks/prediction_area.cpp
    docks/predictions.cpp
    docks/run_bar.cpp
    docks/run_status.cpp
    docks/runs_panel.cpp
    docks/study_files.cpp
    docks/study_panel.cpp
    docks/time_machine.cpp
    docks/top_k_control.cpp
    docks/training_dock.cpp
    docks/view_panel.cpp
    docks/view_tabs.cpp
    docks/weights_dock.cpp
    images/disturb_panel.cpp
    images/image_area.cpp
    images/image_canvas.cpp
    images/image_delegate.cpp
    images/image_grid.cpp
    images/image_list_model.cpp
    images/image_workbench.cpp
    images/image_workbench_layout.cpp
    images/thumbnail_strip.cpp
    parts/ask_export.cpp
    parts/data_set_box.cpp
    parts/decimal_point.cpp
    parts/delete_run.cpp
    parts/export_dialog.cpp
    parts/field_editor.cpp
    parts/flow_layout.cpp
    parts/help_mark.cpp
    parts/help_window.cpp
    parts/icons.cpp
    parts/keys_list.cpp
    parts/menu_button.cpp
    parts/message_bar.cpp
    parts/mistake_label.cpp
    parts/row_table.cpp
    parts/theme.cpp
    tools/beta_panel.cpp
    tools/bridge_sampling_panel.cpp
    tools/data_sets_dialog.cpp
    tools/import_dialog.cpp
    tools/import_images_dialog.cpp
    tools/law_boxes.cpp
    tools/law_choice.cpp
    tools/logits_model.cpp
    tools/open_logits.cpp
    tools/simplex_workbench.cpp
    tools/simplex_workbench_layout.cpp
    window/actions.cpp
    window/main_window.cpp
    window/window.cpp)
set_target_properties(credence_app PROPERTIES AUTOMOC ON AUTORCC ON)
target_include_directories(credence_app PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(credence_app PUBLIC credence_fetch credence_results credence_widgets credence_session Qt6::Widgets PRIVATE Qt6::Svg TBB::tbb)
target_compile_definitions(credence_app PRIVATE CREDENCE_VERSION="${PROJECT_VERSION}")
