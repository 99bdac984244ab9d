#pragma once
// Masking of secrets. Everything that leaves a stage as text of a bundle (evidence lines, field values, fact
// values) goes through here BEFORE it enters the model, so that no report can forget it. A masked value
// reads `<masked:CLASS>`; the class of an AWS key id (AKIA, ASIA) is kept.
#include <string>
#include <string_view>

namespace faultline {

/// Does a variable of this name hold a secret? (AWS_SECRET_ACCESS_KEY, *_TOKEN, ... but not
/// TOKENIZERS_PARALLELISM, *_PATH with a plain path, PWD.)
bool is_secret_name(std::string_view name);

/// Text with every secret-shaped part masked: key ids, JWTs, bearer headers, URL userinfo, PEM blocks,
/// presigned query values, provider tokens, and NAME=value, NAME: value and --name=value of secret names.
std::string mask_secrets(std::string_view text);

/// A value to be shown beside its name: masked whole when the name says so, else by shape.
std::string mask_value(std::string_view name, std::string_view value);

}  // namespace faultline
