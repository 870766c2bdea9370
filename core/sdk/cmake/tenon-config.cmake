# find_package(tenon): the target tenon::sdk and the function tenon_add_plugin.
include("${CMAKE_CURRENT_LIST_DIR}/tenon-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/TenonPlugin.cmake")
