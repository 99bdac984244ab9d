#include "base/secrets_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/secrets.h"
#include "base/text.h"

namespace faultline::secrets {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kLongestName = 128;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "AWSSecretKey", "aws-secret-key" and "AWS_SECRET_KEY" are all {AWS, SECRET, KEY}.
Words words_of(std::string_view name) {
  Words words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_upper(c) && !is_lower(c) && !is_digit(c)) {
      flush();
      continue;
    }
    const bool after_lower = i > 0 && is_lower(name[i - 1]);
    const bool before_lower = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (is_upper(c) && (after_lower || before_lower)) flush();
    word.push_back(is_lower(c) ? static_cast<char>(c - 32) : c);
  }
  flush();
  return words;
}

template <std::size_t N>
bool any_of(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Names whose value is a file or a place, not the secret itself.
constexpr std::array<std::string_view, 8> kPlaces = {"PATH",      "FILE", "FILENAME", "DIR",
                                                     "DIRECTORY", "SOCK", "SOCKET",   "HOME"};
// Last words that make a name speak about a secret instead of holding it.
constexpr std::array<std::string_view, 33> kAbout = {
    "TYPE",      "TYPES",   "METHOD",     "MODE",    "INFO",     "ENABLED", "DISABLED", "TIMEOUT", "TTL",
    "EXPIRY",    "EXPIRES", "EXPIRATION", "COUNT",   "LEN",      "LENGTH",  "SIZE",     "LIMIT",   "NAME",
    "NAMESPACE", "REF",     "ARN",        "VERSION", "PROVIDER", "REGION",  "REQUIRED", "HOST",    "PORT",
    "ALGORITHM", "SCHEME",  "PLUGIN",     "FAILED",  "ERROR",    "ERRORS"};
// Words beside TOKEN that tell a language model's token, or a page of an API, from a credential.
constexpr std::array<std::string_view, 36> kModelToken = {
    "EOS",   "BOS",       "PAD",       "UNK",   "SEP",   "CLS",   "MASK",    "MAX",  "MIN",
    "NUM",   "PER",       "TOTAL",     "IMAGE", "AUDIO", "VIDEO", "SPECIAL", "NEXT", "FIRST",
    "LAST",  "GENERATED", "PREDICTED", "STOP",  "START", "END",   "EVERY",   "EACH", "DROP",
    "VOCAB", "LATENCY",   "LOSS",      "TIME",  "MS",    "IDX",   "INDEX",   "IDS",  "TOP"};
constexpr std::array<std::string_view, 14> kWholeNames = {"DATABASE_URL",    "REDIS_URL",
                                                          "PIP_INDEX_URL",   "PIP_EXTRA_INDEX_URL",
                                                          "UV_INDEX_URL",    "UV_EXTRA_INDEX_URL",
                                                          "CLIENT_KEY_DATA", "CLIENT_CERTIFICATE_DATA",
                                                          "STORAGE_PASS",    "ACCOUNTING_STORAGE_PASS",
                                                          "JOB_COMP_PASS",   "DB_PASS",
                                                          "SMTP_PASS",       "REDIS_PASS"};
// X_KEY is a secret for these X.
constexpr std::array<std::string_view, 10> kKeyOf = {"API",     "ACCESS", "PRIVATE", "ENCRYPTION",
                                                     "SIGNING", "AUTH",   "ACCOUNT", "SUBSCRIPTION",
                                                     "SECRET",  "MASTER"};

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return word.ends_with(end); });
}

bool contains(std::string_view word, std::string_view part) {
  return word.find(part) != std::string_view::npos;
}

/// The class of a name by its words alone.
std::string_view class_of(const Words& words) {
  bool token = false;
  bool model = false;
  std::string_view found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view before = i > 0 ? std::string_view(words[i - 1]) : std::string_view();
    if (contains(word, "SECRET")) return "secret";
    if (contains(word, "PASSWORD") || contains(word, "PASSWD") || contains(word, "PASSPHRASE"))
      return "password";
    if (word.ends_with("PWD")) return "password";
    if (contains(word, "CREDENTIAL")) return "credential";
    if (ends_with_any(word, {"APIKEY", "ACCESSKEY", "PRIVATEKEY", "SECRETKEY"})) return "key";
    if (word == "KEY" && (any_of(kKeyOf, before) || (words[0] == "AZURE" && i > 0))) return "key";
    if (word == "AUTH" || word == "AUTHORIZATION") found = "auth";
    if (contains(word, "COOKIE")) found = "cookie";
    if (word == "SIGNATURE") found = "signature";
    if (contains(word, "WEBHOOK")) found = "webhook";
    if (word == "DSN") found = "dsn";
    if (word == "CONNECTIONSTRING" || (word == "STRING" && before == "CONNECTION")) return "connection";
    if (word.ends_with("TOKEN")) token = true;
    if (any_of(kModelToken, word)) model = true;
  }
  if (token && !model && words.back() != "ID") return "token";
  return found;
}

}  // namespace

NameJudgement judge_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return {};
  Words words = words_of(name);
  if (words.empty()) return {};
  NameJudgement judgement;
  judgement.common_word = words.size() == 1 && !(is_upper(name.front()) && is_upper(name.back()));
  std::string whole = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) whole += '_' + words[i];
  if (whole == "PWD" || whole == "OLDPWD") return {};
  if (any_of(kWholeNames, whole) || whole == "STORAGEPASS") {
    judgement.mask = whole.ends_with("URL") ? "url" : whole.ends_with("PASS") ? "password" : "key";
    return judgement;
  }
  if (any_of(kAbout, words.back())) return {};
  if (words.size() > 1 && any_of(kPlaces, words.back())) {
    judgement.place = true;
    judgement.unless_path = true;
    words.pop_back();
  }
  judgement.mask = class_of(words);
  // Credentials are also kept as the path of a file that holds them.
  if (judgement.mask == "credential" || words.back().ends_with("PWD")) judgement.unless_path = true;
  return judgement;
}

bool is_trivial_value(std::string_view value) {
  value = trim(value);
  if (value.empty()) return true;
  for (const std::string_view word :
       {"0",        "1",          "-",    "true", "false",    "yes",     "no",     "on",
        "off",      "none",       "null", "nil",  "unset",    "not set", "(null)", "n/a",
        "redacted", "[redacted]", "%v",   "%s",   "required", "optional"}) {
    if (iequals(value, word)) return true;
  }
  if (value.find_first_not_of('*') == std::string_view::npos) return true;
  // <masked:token>, <none>, <set to the key 'k' in secret 's'>: what others put in place of a value.
  if (value.front() == '<') {
    for (const std::string_view placeholder : {"<masked:", "<set to the key", "<none>", "<unset>",
                                               "<unknown>", "<nil>", "<redacted>", "<REDACTED>", "<N/A>"}) {
      if (value.starts_with(placeholder)) return true;
    }
  }
  if (value.front() == '$' && value.size() > 1) {
    std::string_view body = value.substr(1);
    const char open = body.front();
    if ((open == '{' && body.back() == '}') || (open == '(' && body.back() == ')')) {
      body = body.substr(1, body.size() - 2);
    }
    return !body.empty() && std::all_of(body.begin(), body.end(), [](char c) {
      return is_upper(c) || is_lower(c) || is_digit(c) || c == '_';
    });
  }
  return false;
}

bool is_plain_path(std::string_view value) {
  const bool rooted = value.starts_with('/') || value.starts_with("~/") || value.starts_with("./") ||
                      value.starts_with("../") ||
                      (value.size() > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/'));
  return rooted && value.find_first_of("=+@ ") == std::string_view::npos;
}

}  // namespace faultline::secrets

namespace faultline {

bool is_secret_name(std::string_view name) {
  const secrets::NameJudgement judgement = secrets::judge_name(name);
  return !judgement.mask.empty() && !judgement.place;
}

}  // namespace faultline
