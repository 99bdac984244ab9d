#pragma once
// The pieces that peel_line() is made of. A peeler looks at the head of the text that is left; when it is
// sure, it takes the prefix off, notes what it says, and returns true. Unsure: it changes nothing and returns
// false.
#include <optional>
#include <string_view>

#include "model/line_batch.h"

namespace faultline::decode {

/// A line on its way through the peelers.
struct Peeling {
  Peeling(std::string_view line, const PeelContext& given) : text(line), context(given) {}
  std::string_view text;
  const PeelContext& context;
  Speaker speaker;
  bool done = false;        ///< the message begins here: nothing more is a prefix
  bool probing = false;     ///< inside is_prefixed(): ambiguous heads are left alone
  bool task_label = false;  ///< a label of srun -l was
  bool stamped = false;     ///< a logger's or a container's stamp was taken off
  bool logged = false;      ///< a logger's was: labels of launchers stand before it
  bool actor = false;       ///< a Ray label was
  bool syslog = false;      ///< a syslog or journal header was

  /// `container`: stamped on receipt by a runtime, the journal or CloudWatch, not by the program.
  void add_time(Instant time, bool container);
  [[nodiscard]] Instant best_time() const;

 private:
  static constexpr std::size_t kMostTimes = 8;
  Instant times_[kMostTimes];
  std::size_t count_ = 0;
};

using Peeler = bool (*)(Peeling&);

// peel_outer.cc: what runtimes and collectors put in front.
bool peel_cri(Peeling& p);
bool peel_kubectl(Peeling& p);  ///< [pod/p/c]
bool peel_stern(Peeling& p);
bool peel_compose(Peeling& p);  ///< name-1  |
bool peel_epoch(Peeling& p);    ///< CloudWatch exports, journalctl -o short-unix
bool peel_iso(Peeling& p);  ///< ISO stamps, with what their dialect puts behind: stream, host and tag, level

// peel_system.cc: syslog, journal, kernel.
bool peel_priority(Peeling& p);  ///< <6>, and RFC 5424
bool peel_syslog(Peeling& p);
bool peel_decode_levels(Peeling& p);        ///< kern  :warn  :
bool peel_kernel(Peeling& p);               ///< [   12.345678], its -d, -e and caller forms
bool peel_kmsg(Peeling& p);                 ///< 6,1234,12345678,-;
bool peel_host_tag(Peeling& p, bool sure);  ///< "host tag[pid]: " behind a stamp

// peel_job.cc: launchers.
bool peel_number(Peeling& p);  ///< srun -l, line numbers
bool peel_host(Peeling& p);    ///< pdsh, deepspeed
bool peel_mpi(Peeling& p);     ///< [1,3]<stderr>:
bool peel_ray(Peeling& p);     ///< (Name pid=1, ip=10.1.2.3)
bool peel_role(Peeling& p);    ///< [default3]: [rank3]:
void take_rank(Peeling& p);    ///< [Rank 3], [PG 0 Rank 3]: reads, leaves the text

// peel_logger.cc: loggers inside the program.
bool peel_glog(Peeling& p);
bool peel_bracket_stamp(Peeling& p);
bool peel_level_stamp(Peeling& p);  ///< INFO 09-03 10:56:47, INFO 2026-01-01 ...
bool peel_nccl(Peeling& p);
void peel_level(Peeling& p);          ///< behind a stamp: " - INFO - ", "[INFO]", "[file.py:12:func]"
void take_embedded_time(Peeling& p);  ///< JSON, logfmt and libfabric lines: reads, leaves the text

/// One round of the peelers. False when nothing was peeled.
bool peel_once(Peeling& p);
/// Does `text` begin with a prefix that is beyond doubt?
bool is_prefixed(std::string_view text, const PeelContext& context);

struct NumberLabel {
  std::int64_t value = 0;
  std::size_t length = 0;  ///< with what separates it from the text
  bool colon = false;
};
std::optional<NumberLabel> read_number_label(std::string_view line);
/// Length of a word that looks like a host name or address and is followed by ": ".
std::optional<std::size_t> read_host_label(std::string_view line);
struct PodWords {
  std::string_view pod;
  std::string_view container;
  std::size_t length = 0;
};
std::optional<PodWords> read_pod_words(std::string_view line);

// Small readers; each takes what it accepts off the front.
bool eat(std::string_view& text, char c);
bool eat(std::string_view& text, std::string_view word);
std::string_view eat_digits(std::string_view& text, std::size_t most);  ///< "" when there is none
std::string_view eat_word(std::string_view& text);                      ///< letters, digits and . _ -
void eat_blanks(std::string_view& text);
bool is_digit(char c);
bool is_alpha(char c);

}  // namespace faultline::decode
