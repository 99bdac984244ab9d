#include "base/secrets_shapes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace faultline::secrets {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(char c) {
  return is_upper(c) || is_lower(c) || is_digit(c);
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_key_id(char c) {
  return is_upper(c) || is_digit(c);
}
bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}
bool is_base64(char c) {
  return is_alnum(c) || c == '+' || c == '/' || c == '=' || c == '%';
}
bool is_bearer(char c) {
  return is_word(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}
bool is_url_path(char c) {
  return is_word(c) || c == '/';
}

using CharTest = bool (*)(char);

struct Shape {
  std::string_view prefix;
  std::string_view mask;
  CharTest body;
  std::size_t least;  ///< characters after the prefix
  std::size_t most;   ///< more than this: something else; 0: any number
  bool needs_digit;   ///< the prefix is also the start of plain words
};
// Shapes of facts about leaked credentials; the class of an AWS id is kept because it says what kind it is.
constexpr std::array<Shape, 28> kShapes = {{
    {"AKIA", "AKIA", is_key_id, 16, 16, false},
    {"ASIA", "ASIA", is_key_id, 16, 16, false},
    {"AROA", "AROA", is_key_id, 16, 17, false},
    {"AIDA", "AIDA", is_key_id, 16, 17, false},
    {"IQoJ", "aws-session-token", is_base64, 96, 0, false},
    {"FwoG", "aws-session-token", is_base64, 96, 0, false},
    {"FQoG", "aws-session-token", is_base64, 96, 0, false},
    {"k8s-aws-v1.", "eks-token", is_word, 10, 0, false},
    {"hf_", "huggingface-token", is_alnum, 30, 0, false},
    {"api_org_", "huggingface-token", is_alnum, 30, 0, false},
    {"wandb_v1_", "wandb-key", is_word, 20, 0, false},
    {"ghp_", "github-token", is_alnum, 36, 0, false},
    {"gho_", "github-token", is_alnum, 36, 0, false},
    {"ghu_", "github-token", is_alnum, 36, 0, false},
    {"ghs_", "github-token", is_alnum, 36, 0, false},
    {"ghr_", "github-token", is_alnum, 36, 0, false},
    {"github_pat_", "github-token", is_word, 22, 0, false},
    {"glpat-", "gitlab-token", is_word, 20, 0, false},
    {"xoxa-", "slack-token", is_word, 10, 0, false},
    {"xoxb-", "slack-token", is_word, 10, 0, false},
    {"xoxp-", "slack-token", is_word, 10, 0, false},
    {"xoxr-", "slack-token", is_word, 10, 0, false},
    {"xoxs-", "slack-token", is_word, 10, 0, false},
    {"xoxe-", "slack-token", is_word, 10, 0, false},
    {"https://hooks.slack.com/services/", "slack-webhook", is_url_path, 8, 0, false},
    {"sk-", "api-key", is_word, 20, 0, true},
    {"nvapi-", "nvidia-key", is_word, 40, 0, false},
    {"AIza", "google-key", is_word, 35, 35, false},
}};

/// No word runs into `at` from the left. Escapes and URL encoding end in letters too: "\nAKIA", "%3DAKIA",
/// "\u003dAKIA".
bool word_starts(std::string_view text, std::size_t at) {
  if (at == 0 || !is_alnum(text[at - 1])) return true;
  const std::string_view before = text.substr(0, at);
  if (before.size() >= 2 && before[before.size() - 2] == '\\' && is_lower(before.back())) return true;
  if (before.size() >= 3 && before[before.size() - 3] == '%' && is_hex(before.back())) return true;
  return before.size() >= 6 && before.substr(before.size() - 6, 2) == "\\u";
}

std::size_t run_length(std::string_view text, std::size_t at, CharTest test, std::size_t most = SIZE_MAX) {
  std::size_t end = at;
  while (end < text.size() && end - at < most && test(text[end])) ++end;
  return end - at;
}

template <class Found>
void each(std::string_view text, std::string_view needle, Found&& found) {
  for (std::size_t at = text.find(needle); at != std::string_view::npos; at = text.find(needle, at)) {
    at = std::max(at + 1, found(at));
    if (at > text.size()) return;
  }
}

void find_prefixed(std::string_view text, std::vector<Span>& spans) {
  for (const Shape& shape : kShapes) {
    each(text, shape.prefix, [&](std::size_t at) {
      const std::size_t body = at + shape.prefix.size();
      if (!word_starts(text, at)) return body;
      const std::size_t length =
          run_length(text, body, shape.body, shape.most == 0 ? SIZE_MAX : shape.most + 1);
      if (length < shape.least || (shape.most != 0 && length > shape.most)) return body;
      if (shape.needs_digit && length < 32) {
        const std::string_view run = text.substr(body, length);
        if (std::none_of(run.begin(), run.end(), is_digit)) return body;
      }
      spans.push_back({at, body + length, shape.mask});
      return body + length;
    });
  }
}

/// header.payload[.signature]: the header is the base64 of `{"`.
void find_jwts(std::string_view text, std::vector<Span>& spans) {
  each(text, "eyJ", [&](std::size_t at) {
    std::size_t end = at + run_length(text, at, is_word);
    std::size_t dots = 0;
    while (end < text.size() && text[end] == '.' && dots < 4) {
      const std::size_t part = run_length(text, end + 1, is_word);
      if (part == 0 && dots == 0) break;
      end += 1 + part;
      ++dots;
    }
    if (dots >= 1 && end - at >= 20 && word_starts(text, at)) spans.push_back({at, end, "jwt"});
    return end;
  });
}

void find_pem(std::string_view text, std::vector<Span>& spans) {
  each(text, "-----BEGIN ", [&](std::size_t at) {
    const std::size_t label_end = text.find("-----", at + 11);
    if (label_end == std::string_view::npos || label_end - at > 64) return at + 11;
    if (!text.substr(at, label_end - at).ends_with("PRIVATE KEY")) return label_end;
    std::size_t end = text.find("-----END ", label_end);
    if (end != std::string_view::npos) end = text.find("-----", end + 9);
    end = end == std::string_view::npos ? text.size() : end + 5;
    spans.push_back({at, end, "private-key"});
    return end;
  });
}

/// The part before '@' when it holds a password, or is itself a long token.
void find_userinfo(std::string_view text, std::vector<Span>& spans) {
  each(text, "://", [&](std::size_t at) {
    const std::size_t begin = at + 3;
    const std::size_t end = std::min(text.find_first_of("/?# \t\r\n\"'<>\\`,", begin), text.size());
    const std::string_view authority = text.substr(begin, end - begin);
    const std::size_t sign = authority.rfind('@');
    if (sign == std::string_view::npos || sign == 0) return begin;
    const std::string_view userinfo = authority.substr(0, sign);
    if (userinfo.starts_with("<masked:")) return begin;
    const std::size_t colon = userinfo.find(':');
    const bool password = colon != std::string_view::npos && colon + 1 < userinfo.size();
    if (password || userinfo.size() >= 20) spans.push_back({begin, begin + sign, "userinfo"});
    return end;
  });
}

/// "Bearer x" and "Basic x" outside of a header line, where the word after it is no plain word.
void find_bearers(std::string_view text, std::vector<Span>& spans) {
  for (const std::string_view scheme : {"earer ", "EARER ", "asic "}) {
    each(text, scheme, [&](std::size_t at) {
      const std::size_t begin = at + scheme.size();
      const std::size_t length = run_length(text, begin, is_bearer);
      if (at == 0 || (text[at - 1] | 0x20) != 'b' || !word_starts(text, at - 1)) return begin;
      const std::string_view token = text.substr(begin, length);
      const bool mixed = std::any_of(token.begin(), token.end(), is_digit) &&
                         std::any_of(token.begin(), token.end(), is_alnum);
      const bool basic = scheme == "asic ";
      if (length >= (basic ? 16u : 8u) && (mixed || length >= 24))
        spans.push_back({begin, begin + length, "bearer"});
      return begin + length;
    });
  }
}

/// 40 hex digits after `wandb login`.
void find_wandb_login(std::string_view text, std::vector<Span>& spans) {
  each(text, "wandb login", [&](std::size_t at) {
    std::size_t begin = at + 11;
    const std::size_t end = std::min(text.size(), begin + 128);
    while (begin < end && run_length(text, begin, is_hex) != 40)
      begin += std::max<std::size_t>(run_length(text, begin, is_alnum), 1);
    if (begin < end) spans.push_back({begin, begin + 40, "wandb-key"});
    return end;
  });
}

/// A secret access key has no mark of its own; next to a key id, 40 mixed characters are one.
void find_secret_beside_key_id(std::string_view text, std::vector<Span>& spans) {
  const bool key_id = std::any_of(spans.begin(), spans.end(),
                                  [](const Span& s) { return s.mask == "AKIA" || s.mask == "ASIA"; });
  if (!key_id) return;
  const auto in_key = [](char c) { return is_alnum(c) || c == '+' || c == '/'; };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = run_length(text, at, in_key);
    const std::string_view run = text.substr(at, length);
    if (length == 40 && std::any_of(run.begin(), run.end(), is_upper) &&
        std::any_of(run.begin(), run.end(), is_lower) && std::any_of(run.begin(), run.end(), is_digit)) {
      spans.push_back({at, at + length, "aws-secret-key"});
    }
    at += length + 1;
  }
}

// Four bytes out of every name part and shape that has so many, with the case bit set; PWD and DSN with what
// can follow.
constexpr std::array<std::string_view, 50> kAnchors = {"secr",
                                                       "toke",
                                                       "pass",
                                                       "pwd=",
                                                       "pwd:",
                                                       "pwd\"",
                                                       "pwd'",
                                                       "pwd\\",
                                                       "pwd ",
                                                       "cred",
                                                       "auth",
                                                       "cook",
                                                       "sign",
                                                       "webh",
                                                       "dsn=",
                                                       "dsn:",
                                                       "dsn\"",
                                                       "dsn'",
                                                       "dsn\\",
                                                       "dsn ",
                                                       "_key",
                                                       "-key",
                                                       "ikey",
                                                       "skey",
                                                       "tkey",
                                                       "ekey",
                                                       "gkey",
                                                       "ring",
                                                       "_url",
                                                       "akia",
                                                       "asia",
                                                       "aroa",
                                                       "aida",
                                                       "iqoj",
                                                       "fwog",
                                                       "fqog",
                                                       "k8s-",
                                                       "api_",
                                                       "wand",
                                                       "ghp_",
                                                       "gho_",
                                                       "ghu_",
                                                       "ghs_",
                                                       "ghr_",
                                                       "gith",
                                                       "glpa",
                                                       "nvap",
                                                       "aiza",
                                                       "xox"
                                                       "b",
                                                       "-pas"};

constexpr std::uint32_t pack(const char* p) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<std::uint8_t>(p[i] | 0x20);
  return value;
}
constexpr std::size_t slot(std::uint32_t packed) {
  return (packed * 2654435761u) >> 18;
}
constexpr std::size_t kSlots = std::size_t{1} << 14;

struct AnchorTable {
  std::array<std::uint64_t, kSlots / 64> bits{};
  std::array<std::uint32_t, kAnchors.size()> sorted{};
};
constexpr AnchorTable make_anchors() {
  AnchorTable table;
  for (std::size_t i = 0; i < kAnchors.size(); ++i) {
    const std::uint32_t packed = pack(kAnchors[i].data());
    table.sorted[i] = packed;
    table.bits[slot(packed) / 64] |= std::uint64_t{1} << (slot(packed) % 64);
  }
  std::sort(table.sorted.begin(), table.sorted.end());
  return table;
}
constexpr AnchorTable kTable = make_anchors();

}  // namespace

bool may_hold_secret(std::string_view text) {
  for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
    std::uint32_t window = 0;
    std::memcpy(&window, text.data() + at, sizeof(window));
    window |= 0x20202020u;
    const std::size_t hash = slot(window);
    if ((kTable.bits[hash / 64] >> (hash % 64) & 1) == 0) continue;
    if (std::binary_search(kTable.sorted.begin(), kTable.sorted.end(), window)) return true;
  }
  for (const std::string_view needle :
       {"eyJ", "hf_", "sk-", "xox", "://", "-----BEGIN ", "earer ", "EARER ", "asic ", "?sig=", "&sig="}) {
    if (text.find(needle) != std::string_view::npos) return true;
  }
  return false;
}

void find_shapes(std::string_view text, std::vector<Span>& spans) {
  find_prefixed(text, spans);
  find_jwts(text, spans);
  find_pem(text, spans);
  find_userinfo(text, spans);
  find_bearers(text, spans);
  find_wandb_login(text, spans);
  find_secret_beside_key_id(text, spans);
}

}  // namespace faultline::secrets
