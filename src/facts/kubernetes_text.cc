// kubectl's text output: describe, tables, bare event rows, in any mixture.
#include "facts/kubernetes_describe.h"
#include "facts/kubernetes_table.h"
#include "facts/text_readers.h"

namespace faultline::facts {

void read_kubectl_text(Reading& reading) {
  kubernetes::Picture picture;
  kubernetes::read_describe(reading, picture);
  kubernetes::read_tables(reading, picture);
  kubernetes::judge(reading, picture);
}

}  // namespace faultline::facts
