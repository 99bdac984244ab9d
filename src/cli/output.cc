#include "cli/output.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace faultline::cli {
namespace {

Result<void> write_all(int fd, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return fail(Rung::stop, name, std::string("cannot write: ") + std::strerror(errno),
                  errno == ENOSPC ? "free space or choose another place with -o" : "");
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace

Result<void> write_output(const std::string& file, std::string_view text) {
  if (file.empty() || file == "-") return write_all(STDOUT_FILENO, text, "standard output");
  struct stat there {};
  if (::stat(file.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);  // /dev/null, a pipe: no renaming
    if (fd < 0) return fail(Rung::stop, file, std::string("cannot open: ") + std::strerror(errno));
    Result<void> written = write_all(fd, text, file);
    ::close(fd);
    return written;
  }
  const std::string temporary = file + ".part" + std::to_string(::getpid());
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return fail(Rung::stop, file, std::string("cannot create: ") + std::strerror(errno));
  Result<void> written = write_all(fd, text, file);
  if (::close(fd) != 0 && written)
    written = fail(Rung::stop, file, std::string("cannot write: ") + std::strerror(errno));
  if (written && std::rename(temporary.c_str(), file.c_str()) != 0) {
    written = fail(Rung::stop, file, std::string("cannot rename: ") + std::strerror(errno));
  }
  if (!written) ::unlink(temporary.c_str());
  return written;
}

void print_problem(const Problem& problem) {
  std::string text = "faultline: ";
  if (!problem.where.empty()) text += printable(problem.where) + ": ";
  text += printable(problem.what);
  if (!problem.hint.empty()) text += " (" + printable(problem.hint) + ")";
  std::fprintf(stderr, "%s\n", text.c_str());
}

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

unsigned terminal_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    if (const auto number = parse_number<unsigned>(columns)) return std::clamp(*number, 40U, 500U);
  }
  struct winsize size {};
  if (stdout_is_terminal() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<unsigned>(size.ws_col, 40, 500);
  }
  return 80;
}

}  // namespace faultline::cli
