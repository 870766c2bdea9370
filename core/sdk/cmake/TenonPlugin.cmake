# tenon_add_plugin(NAME SOURCES...): a shared object NAME.so that exports the plug-in symbol and nothing else. Serves the
# plug-ins of this repository and those built elsewhere through find_package(tenon).
function(tenon_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE tenon::sdk)
  # A fused multiply-add only where the source says fma: the numeric classes promise the same bits from all compilers.
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  if(TARGET tenon_build)
    target_link_libraries(${name} PRIVATE tenon_build)
  endif()
  # Those of the tests are not installed and nothing of the product waits for them.
  if(TARGET tenon_all_plugins AND DEFINED TENON_PLUGIN_INSTALL_DIRECTORY)
    add_dependencies(tenon_all_plugins ${name})
  endif()
  set(exports "${CMAKE_CURRENT_BINARY_DIR}/${name}.exports")
  file(WRITE "${exports}" "{ global: tenon_plugin_entry; local: *; };\n")
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    LINK_DEPENDS "${exports}")
  target_link_options(${name} PRIVATE "-Wl,--version-script=${exports}" "-Wl,-z,nodelete" "-Wl,--build-id=sha1")
  if(NOT TENON_SANITIZE)
    target_link_options(${name} PRIVATE "-Wl,-z,defs")
  endif()
  if(DEFINED TENON_PLUGIN_OUTPUT_DIRECTORY)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${TENON_PLUGIN_OUTPUT_DIRECTORY}")
  endif()
  if(DEFINED TENON_PLUGIN_INSTALL_DIRECTORY)
    install(TARGETS ${name} LIBRARY DESTINATION "${TENON_PLUGIN_INSTALL_DIRECTORY}" COMPONENT runtime)
  endif()
endfunction()
