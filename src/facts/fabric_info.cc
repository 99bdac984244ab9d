// fi_info (--version and -p efa), ibv_devinfo, rdma link: which fabric devices a host has and how they are.
#include <map>
#include <set>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/text_readers.h"
#include "facts/versions.h"

namespace faultline::facts {
namespace {

class FabricReader {
 public:
  explicit FabricReader(Reading& reading) : reading_(reading) {}

  void run() {
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = trim(reading_.lines()[number_]);
      if (line.starts_with("fi_getinfo: -61")) {
        // No EFA device, or no permission to see one.
        reading_.fact("efa.provider", line, number_);
      } else if (line.starts_with("link ") && line.find(" state ") != std::string_view::npos) {
        read_rdma_link(line);
      } else if (const auto pair = key_value(line)) {
        read_pair(*pair);
      }
    }
    if (domains_.empty()) return;
    reading_.fact("efa.devices", std::to_string(domains_.size()), domains_.begin()->second);
    for (const auto& [domain, line] : domains_) reading_.fact("efa.device", domain, line);
  }

 private:
  void read_pair(const KeyValue& pair) {
    if (pair.key == "provider") provider_ = std::string(pair.value);
    if (pair.key == "domain" && (provider_ == "efa" || provider_ == "efa-direct")) {
      // One device has an -rdm and a -dgrm domain.
      std::string_view domain = pair.value;
      for (const std::string_view tail : {"-rdm", "-dgrm"}) {
        if (domain.ends_with(tail)) domain.remove_suffix(tail.size());
      }
      domains_.try_emplace(std::string(domain), number_);
    }
    if (pair.key == "libfabric") tell_version(reading_, "libfabric", pair.value, number_);
    // ibv_devinfo
    if (pair.key == "hca_id") device_ = std::string(pair.value);
    if (pair.key == "state" && !device_.empty() && pair.value.starts_with("PORT_")) {
      reading_.fact("efa.port." + device_, pair.value.substr(0, pair.value.find(' ')), number_);
    }
  }

  // "link rdmap0s6/1 state ACTIVE physical_state LINK_UP"
  void read_rdma_link(std::string_view line) {
    const auto words = split_words(line);
    for (std::size_t i = 2; i + 1 < words.size(); ++i) {
      if (words[i] == "state") {
        reading_.fact("efa.port." + std::string(words[1].substr(0, words[1].find('/'))), words[i + 1],
                      number_);
        return;
      }
    }
  }

  Reading& reading_;
  std::size_t number_ = 0;
  std::string provider_;
  std::string device_;
  std::map<std::string, std::size_t> domains_;
};

}  // namespace

void read_fabric_info(Reading& reading) {
  FabricReader(reading).run();
}

}  // namespace faultline::facts
