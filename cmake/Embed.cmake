# faultline_embed(OUT): one generated .cc that holds packs, tables, runbooks and schemas, found again through
# src/packs/embedded.h. The assembler's .incbin takes the bytes in as they are; string literals would need escapes
# and pieces below 64 KiB. Regenerated when a file changes or is added.
function(faultline_embed out_variable)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
    ${CMAKE_SOURCE_DIR}/patterns/*.toml ${CMAKE_SOURCE_DIR}/patterns/ids.txt
    ${CMAKE_SOURCE_DIR}/references/*.md ${CMAKE_SOURCE_DIR}/references/*.json
    ${CMAKE_SOURCE_DIR}/references/tables/*.toml)
  list(SORT files)
  set(output ${CMAKE_BINARY_DIR}/generated/embedded_files.cc)
  set(blobs "")
  set(declarations "")
  set(rows "")
  set(dependencies "")
  set(n 0)
  foreach(file IN LISTS files)
    string(APPEND blobs "asm(\".section .rodata\\n.hidden faultline_begin_${n}\\n.global faultline_begin_${n}\\n\"\n"
      "    \"faultline_begin_${n}:\\n.incbin \\\"${CMAKE_SOURCE_DIR}/${file}\\\"\\n\"\n"
      "    \".hidden faultline_end_${n}\\n.global faultline_end_${n}\\nfaultline_end_${n}:\\n.byte 0\\n.previous\\n\");\n")
    string(APPEND declarations "extern const char faultline_begin_${n}[];\nextern const char faultline_end_${n}[];\n")
    string(APPEND rows "      {\"${file}\", text(faultline_begin_${n}, faultline_end_${n})},\n")
    list(APPEND dependencies ${CMAKE_SOURCE_DIR}/${file})
    math(EXPR n "${n} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"packs/embedded.h\"

#include <vector>

${blobs}
extern \"C\" {
${declarations}}

namespace faultline::packs {

std::span<const EmbeddedFile> embedded_files() {
  const auto text = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  static const std::vector<EmbeddedFile> kFiles = {
${rows}  };
  return kFiles;
}

}  // namespace faultline::packs
")
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${dependencies}")
  set(${out_variable} ${output} PARENT_SCOPE)
endfunction()
