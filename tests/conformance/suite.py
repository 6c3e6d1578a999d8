# SPDX-License-Identifier: MIT
"""The suite's program: where it is, which cases it has, and one process of it that runs some of them."""
import fnmatch
import lzma
import os
import re
import resource
import selectors
import shutil
import signal
import subprocess
import tarfile
import time

BEGINS = re.compile(r"Test case '([^']+)'\.\.")
ENDS = re.compile(r"  (Pass|Fail|NotSupported|QualityWarning|CompatibilityWarning|Pending|InternalError|ResourceError|Waiver"
                  r"|DeviceLost) \((.*)")
MESSAGE = re.compile(r"Validation (?:Error|Warning|Performance Warning)\b.*?\[ ?([\w.-]+) ?\]")
WAIT_FOR_START = 120  # seconds until a process must have begun its first case


class CannotRun(Exception):
    """The suite's program does not run here, or does not do what it should."""


class Suite:
    """A folder with deqp-vk (or deqp-vk.xz) and its data (data/, data.tar.gz, or beside the program)."""
    more, listing = [], []  # further options, always, and where cases are listed

    def __init__(self, folder, state):
        self.folder, self.state = os.path.abspath(folder), state
        self.program = os.path.join(self.folder, "deqp-vk")
        if not os.access(self.program, os.X_OK):
            self.program = self.unpacked("deqp-vk")
        self.data = os.path.join(self.folder, "data")
        if not os.path.isdir(self.data):
            archive = self.data + ".tar.gz"
            self.data = os.path.join(state, "data") if os.path.exists(archive) else self.folder
            if os.path.exists(archive) and not os.path.isdir(self.data):
                with tarfile.open(archive) as file:
                    file.extractall(state)

    def unpacked(self, name):
        packed, program = os.path.join(self.folder, name + ".xz"), os.path.join(self.state, name)
        if not os.path.exists(packed):
            raise CannotRun(f"{self.folder} has neither {name} nor {name}.xz")
        if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(packed):
            with lzma.open(packed) as source, open(program + ".new", "wb") as copy:
                shutil.copyfileobj(source, copy)
            os.chmod(program + ".new", 0o755)
            os.rename(program + ".new", program)
        return program

    def all_cases(self, environment):
        """Every case of the program, in its order. It writes them once."""
        path = os.path.join(self.state, "cases.txt")
        if not os.path.exists(path):
            written = os.path.join(self.state, "cases.new")
            run = subprocess.run([self.program, "--deqp-runmode=txt-caselist", f"--deqp-caselist-export-file={written}",
                                  f"--deqp-archive-dir={self.data}", *self.more, *self.listing], cwd=self.state, env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
            if not os.path.exists(written):
                raise CannotRun(f"{self.program} lists no cases:\n{run.stdout[-1000:]}")
            os.rename(written, path)
        return read_list(path)

    def listed(self, path, environment):
        """The cases of a file whose lines may be patterns: those of the program that one of them fits, in its order, or, where
        there is no pattern, what the file has."""
        with open(path, encoding="utf-8") as file:
            patterns = [line.strip() for line in file if "*" in line and not line.startswith("#")]
        if not patterns:
            return read_list(path)
        names = set(read_list(path))
        fits = re.compile("|".join(map(fnmatch.translate, patterns)))
        return [case for case in self.all_cases(environment) if case in names or fits.match(case)]


def read_list(path):
    """The cases of a file: a name on each line, alone or behind "TEST: "."""
    with open(path, encoding="utf-8") as file:
        lines = (line.strip().removeprefix("TEST: ") for line in file)
        return [line for line in lines if re.fullmatch(r"[\w-]+(\.[\w-]+)+", line)]


class Process:
    """One process that runs a list of cases. What came of each is in .done, in the order in which they ran:
    (case, result, seconds, message, ids), with Crash or Timeout for a case that ended the process. Each is reported as
    soon as it is known, and again if the process dies behind it, before another case begins."""

    def __init__(self, suite, cases, environment, work, timeout, report=lambda case: None):
        self.suite, self.cases, self.environment, self.work, self.timeout = suite, cases, environment, work, timeout
        self.report, self.stopped = report, False
        self.done, self.outside, self.examples, self.device, self.ended = [], set(), {}, "", ""
        self.complete, self.errors = False, ""
        self.case, self.ids, self.began, self.child = None, set(), 0, None

    def command(self):
        def at(name):
            return os.path.join(self.work, name)
        with open(at("cases.txt"), "w", encoding="utf-8") as file:
            file.writelines(case + "\n" for case in self.cases)
        return [self.suite.program, "--deqp-caselist-file=" + at("cases.txt"), "--deqp-log-filename=" + at("log.qpa"),
                "--deqp-log-images=disable", "--deqp-log-shader-sources=disable", "--deqp-shadercache=enable",
                "--deqp-shadercache-filename=" + at("shaders"), "--deqp-shadercache-truncate=disable",
                "--deqp-archive-dir=" + self.suite.data, *self.suite.more]

    def run(self):
        errors = os.path.join(self.work, "errors")
        with open(errors, "wb") as file:
            # A process group of its own: what the program starts ends with it.
            self.child = subprocess.Popen(self.command(), cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=file, start_new_session=True,
                                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
            try:
                hung = self.follow()
            finally:
                self.kill()
        if not self.stopped:
            self.finish(hung, errors)
        return self

    def stop(self):
        """From another thread: ends the process, and nothing is said of the case that it was at."""
        self.stopped = True
        self.kill(wait=False)

    def kill(self, wait=True):
        if self.child and self.child.poll() is None:
            try:
                os.killpg(self.child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if self.child and wait:
            self.child.wait()
            self.child.stdout.close()

    def follow(self):
        """Reads what the process prints until it ends (False) or says nothing for too long (True)."""
        self.began, rest = time.monotonic(), b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.child.stdout, selectors.EVENT_READ)
            while True:
                limit = self.timeout if self.case or self.done else max(self.timeout, WAIT_FOR_START)
                left = self.began + limit - time.monotonic()
                if left <= 0:
                    return True
                if not selector.select(left):
                    continue
                piece = os.read(self.child.stdout.fileno(), 1 << 16)
                if not piece:
                    break
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    self.line(line.decode("utf-8", "replace"))
            if rest:
                self.line(rest.decode("utf-8", "replace"))
        try:  # It has closed its output; now it has to end.
            self.child.wait(self.timeout)
        except subprocess.TimeoutExpired:
            return True
        return False

    def line(self, line):
        begins = BEGINS.match(line)
        if begins:
            self.case, self.ids, self.began = begins[1], set(), time.monotonic()
            return
        ends = ENDS.match(line)
        if ends and self.case:
            self.record(ends[1], ends[2].rstrip().removesuffix(")"))
            return
        self.complete |= line.startswith("DONE!")
        message = MESSAGE.search(line)
        if message:
            (self.ids if self.case else self.outside).add(message[1])
            self.examples.setdefault(message[1], (self.case or "-", line.strip()[:800]))

    def record(self, result, message):
        self.done.append((self.case, result, time.monotonic() - self.began, message, self.ids))
        self.report(self.done[-1])
        self.case, self.ids, self.began = None, set(), time.monotonic()

    def finish(self, hung, errors):
        code = self.child.returncode
        self.ended = "hung" if hung else signal.Signals(-code).name if code < 0 else f"status {code}"
        died = hung or code < 0 or code > 1  # the status is 1 if a case failed
        with open(errors, encoding="utf-8", errors="replace") as file:
            self.errors = file.read()[-2000:].strip()
        said = " ".join([self.ended] + self.errors.splitlines()[-1:])
        if self.case and not hung and code in (0, 1):
            self.record("Crash", "ended within the case: " + said)
        elif self.case:
            self.record("Timeout" if hung else "Crash", said)
        elif died and self.done:
            # Nothing was running: the last case, or what is destroyed at the process's end.
            case, _, seconds, message, ids = self.done[-1]
            self.done[-1] = (case, "Timeout" if hung else "Crash", seconds, f"behind it ({message}): {said}", ids)
            self.report(self.done[-1])
        try:
            with open(os.path.join(self.work, "log.qpa"), encoding="utf-8", errors="replace") as file:
                found = re.search(r"^#sessionInfo deviceName (.*)$", file.read(4096), flags=re.MULTILINE)
            self.device = found[1] if found else ""
        except OSError:
            pass
