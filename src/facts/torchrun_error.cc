#include "facts/torchrun_error.h"

#include "base/text.h"

namespace faultline::facts {
namespace {

/// "torch.OutOfMemoryError: CUDA out of memory." -> "torch.OutOfMemoryError"; "" when the text begins
/// otherwise.
std::string_view exception_class(std::string_view message) {
  const std::string_view head = message.substr(0, message.find(':'));
  const std::size_t dot = head.rfind('.');
  const std::string_view name = dot == std::string_view::npos ? head : head.substr(dot + 1);
  if (name.empty() || name.size() > 80 || head.find_first_of(" \t\n(") != std::string_view::npos) return {};
  return name[0] >= 'A' && name[0] <= 'Z' ? head : std::string_view{};
}

Instant time_of_epoch(std::string_view text) {
  const auto parsed = try_epoch(text);
  return parsed && parsed->length == text.size() ? parsed->time : Instant{};
}

}  // namespace

bool read_torchrun_error(Reading& reading, const JsonValue& value) {
  const JsonValue* message = value.find("message");
  if (message == nullptr) return false;
  const JsonValue* text = message->is_object() ? message->find("message") : message;
  if (text == nullptr || !text->is_string()) return false;
  const JsonValue* extra = message->find("extraInfo");
  // A bare {"message": "..."} is everybody's form: here it needs the file's name.
  if (extra == nullptr && reading.artifact.kind != ArtifactKind::torchrun_error) return false;
  const std::size_t line = reading.lines().at_offset(text->offset);
  const Instant time = extra != nullptr ? time_of_epoch(extra->text("timestamp")) : Instant{};
  const std::string_view error = exception_class(text->string);
  reading.timed_fact(reading.artifact.speaker, "torchrun.error", text->string, time, line);
  if (error.ends_with("ChildFailedError") || error.ends_with("SignalException"))
    return true;  // the launcher's own
  if (text->string.find("CUDA out of memory") != std::string::npos) {
    Draft draft = reading.event(ReaderEvent::torchrun_cuda_oom, line, text->offset);
    draft.field("where", "torch").time(time);
    const std::size_t tried = text->string.find("Tried to allocate ");
    if (tried != std::string::npos) {
      const std::string_view amount = std::string_view(text->string).substr(tried + 18);
      draft.field(
          "tried",
          amount.substr(0, amount.find_first_of(
                               ".,", amount.find('.') == std::string_view::npos ? 0 : amount.find('.') + 1)));
    }
    return true;
  }
  if (!error.empty()) {
    reading.event(ReaderEvent::torchrun_exception, line, text->offset).field("error", error).time(time);
  }
  return true;
}

}  // namespace faultline::facts
