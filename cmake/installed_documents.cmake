# At install time: links of the documents in `documents` to files that are not installed become text that names the file.
file(GLOB_RECURSE pages "${documents}/*.md")
foreach(page IN LISTS pages)
  file(READ "${page}" text)
  string(REGEX REPLACE "\\[((bench|include)/[^]]*|CONTRIBUTING\\.md)\\]\\([^)]*\\)" "`\\1` of the sources" linked "${text}")
  string(REGEX REPLACE "\\[([^]]*)\\]\\((\\.\\./)*((bench|include)/[^)#]*)(#[^)]*)?\\)" "\\1 (`\\3` of the sources)" linked
                       "${linked}")
  if(NOT linked STREQUAL text)
    file(WRITE "${page}" "${linked}")
  endif()
endforeach()
