# SPDX-License-Identifier: GPL-3.0-or-later
# The window as a library, so that tests click through the same one.
add_library(credence_app STATIC
    app.qrc
    docks/laplace_panel.cpp
    docks/prediction_area.cpp
    docks/run_bar.cpp
    docks/runs_panel.cpp
    docks/study_panel.cpp
    docks/time_machine.cpp
    docks/view_panel.cpp
    images/disturb_panel.cpp
    images/draw_panel.cpp
    images/image_area.cpp
    images/image_canvas.cpp
    images/image_delegate.cpp
    images/image_grid.cpp
    images/image_grid_bar.cpp
    images/image_list.cpp
    images/image_list_model.cpp
    images/image_verdict.cpp
    images/image_workbench.cpp
    images/image_workbench_layout.cpp
    images/nearest_images.cpp
    images/thumbnail_strip.cpp
    parts/ask_export.cpp
    parts/ask_path.cpp
    parts/data_set_box.cpp
    parts/decimal_point.cpp
    parts/delete_run.cpp
    parts/export_dialog.cpp
    parts/field_editor.cpp
    parts/flow_layout.cpp
    parts/help_mark.cpp
    parts/help_window.cpp
    parts/icons.cpp
    parts/menu_button.cpp
    parts/message_bar.cpp
    parts/mistake_label.cpp
    parts/number_slider.cpp
    parts/row_table.cpp
    parts/theme.cpp
    parts/waiting_page.cpp
    tools/beta_panel.cpp
    tools/bridge_sampling_panel.cpp
    tools/data_set_rows.cpp
    tools/data_sets_dialog.cpp
    tools/import_dialog.cpp
    tools/import_images_dialog.cpp
    tools/law_boxes.cpp
    tools/law_choice.cpp
    tools/law_editor.cpp
    tools/law_handles.cpp
    tools/law_numbers.cpp
    tools/law_picture.cpp
    tools/logits_model.cpp
    tools/logits_pictures.cpp
    tools/open_logits.cpp
    tools/simplex_controls.cpp
    tools/simplex_workbench.cpp
    tools/tool_page.cpp
    window/main_window.cpp
    window/window.cpp
    window/window_actions.cpp
    window/window_files.cpp
    window/window_image.cpp
    window/window_points.cpp
    window/window_simplex.cpp
    window/window_views.cpp)
set_target_properties(credence_app PROPERTIES AUTOMOC ON AUTORCC ON)
target_include_directories(credence_app PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(credence_app PUBLIC credence_fetch credence_results credence_widgets credence_session Qt6::Widgets PRIVATE Qt6::Svg TBB::tbb)
target_compile_definitions(credence_app PRIVATE CREDENCE_VERSION="${PROJECT_VERSION}")
