# Configures and builds the preset `neon` in SOURCE.
foreach(step "--preset;neon" "--build;--preset;neon;--;--quiet")
  execute_process(COMMAND "${CMAKE_COMMAND}" ${step} WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake ${step} failed")
  endif()
endforeach()
