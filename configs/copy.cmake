# cmake -DFROM=... -DTO=... -P copy.cmake: makes TO hold what FROM holds, except the build's own files. file(COPY) writes
# only what is newer; what was removed from FROM is removed from TO.
file(COPY "${FROM}/" DESTINATION "${TO}" PATTERN CMakeLists.txt EXCLUDE PATTERN copy.cmake EXCLUDE)
file(GLOB_RECURSE copies RELATIVE "${TO}" "${TO}/*")
foreach(copy IN LISTS copies)
  if(NOT EXISTS "${FROM}/${copy}")
    file(REMOVE "${TO}/${copy}")
  endif()
endforeach()
