"""What the miniature workloads share: MLLOG lines, ranks, signals, host readings, output files.

A miniature is a real but small training that has the form of an MLPerf Training v3.0 container
(its log, its result files, its environment variables) and none of its meaning. Every file that
it writes therefore carries NOTE. Standard library only, so that a missing framework can be
reported in one clear line.
"""
from __future__ import annotations

import datetime
import errno
import json
import math
import os
import platform
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Mapping, NoReturn, Optional

NOTE = "miniature, not MLPerf"

EXIT_REACHED = 0
EXIT_NOT_REACHED = 1
EXIT_USAGE = 2
EXIT_NOT_MEASURED = 3
EXIT_ERROR = 4

READING_INTERVAL_S = 10.0

POINT = "POINT_IN_TIME"
START = "INTERVAL_START"
END = "INTERVAL_END"


def fail(program: str, message: str, code: int = EXIT_ERROR) -> NoReturn:
    """One line on stderr, then exit."""
    try:
        print(f"{program}: {' '.join(str(message).split())}", file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody reads stderr; the exit code must still be the right one
    sys.exit(code)


def finite_or_none(value: Optional[float]) -> Optional[float]:
    """JSON has no NaN: a number that is none is written as null, never as a stand-in."""
    return value if value is not None and math.isfinite(value) else None


# ---------------------------------------------------------------- ranks


@dataclass(frozen=True)
class Ranks:
    """This process's place among the data-parallel ranks."""

    rank: int = 0
    local_rank: int = 0
    world_size: int = 1

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> "Ranks":
        """Reads RANK, LOCAL_RANK, WORLD_SIZE; raises ValueError when they contradict each other."""
        world_size = _whole_number(environment, "WORLD_SIZE", 1)
        if world_size < 1:
            raise ValueError("WORLD_SIZE must be 1 or more")
        if world_size > 1:
            needed = ("RANK", "MASTER_ADDR", "MASTER_PORT")
            missing = [name for name in needed if not environment.get(name)]
            if missing:
                raise ValueError(f"WORLD_SIZE is {world_size} but {', '.join(missing)} is not set")
        rank = _whole_number(environment, "RANK", 0)
        if not 0 <= rank < world_size:
            raise ValueError(f"RANK {rank} is outside 0..{world_size - 1}")
        return Ranks(rank, _whole_number(environment, "LOCAL_RANK", rank), world_size)


def _whole_number(environment: Mapping[str, str], name: str, default: int) -> int:
    text = environment.get(name, "")
    if not text:
        return default
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is not a whole number: {text!r}") from None


# ---------------------------------------------------------------- MLLOG


class MllogWriter:
    """Writes `:::MLLOG {json}` lines, in the record layout of mlperf_logging, to stdout and a file.

    Each line is one unbuffered write per destination, so a reader or a kill never sees half of it.
    Without a path (ranks other than the first) nothing is written.
    """

    def __init__(self, path: Optional[Path]) -> None:
        self._file = open(path, "wb", buffering=0) if path else None
        self._lock = threading.RLock()  # abort holds it across its write
        self._started = False
        self._stopped = False
        self._aborted = False

    def point(self, key: str, value: Any = None, **metadata: Any) -> int:
        return self._write(POINT, key, value, metadata)

    def start(self, key: str, value: Any = None, **metadata: Any) -> int:
        return self._write(START, key, value, metadata)

    def end(self, key: str, value: Any = None, **metadata: Any) -> int:
        return self._write(END, key, value, metadata)

    def abort(self) -> None:
        """Closes a run that has begun and not ended. The log takes no further line.

        A failed write is swallowed: this runs on the way out, for a reason already reported.
        """
        with self._lock:
            if self._started and not self._stopped:
                try:
                    self._write(END, "run_stop", None, {"status": "aborted"})
                except OSError:
                    pass
            self._aborted = True

    def _write(self, event_type: str, key: str, value: Any, metadata: dict[str, Any]) -> int:
        """Returns the line's time in ms since the epoch."""
        caller = sys._getframe(2)
        place = {"file": os.path.basename(caller.f_code.co_filename), "lineno": caller.f_lineno}
        with self._lock:
            time_ms = time.time_ns() // 1_000_000
            if self._aborted:  # the signal thread is ending the process: nothing may follow
                threading.Event().wait()
            self._started = self._started or key == "run_start"
            self._stopped = self._stopped or key == "run_stop"
            record = {"namespace": "", "time_ms": time_ms, "event_type": event_type, "key": key,
                      "value": value, "metadata": {**place, **metadata}}
            self._emit(f":::MLLOG {json.dumps(record)}\n".encode())
        return time_ms

    def _emit(self, line: bytes) -> None:
        if self._file is None:
            return
        for descriptor in (self._file.fileno(), 1):
            if os.write(descriptor, line) != len(line):
                raise OSError(errno.ENOSPC, "short write of an MLLOG line")


# ---------------------------------------------------------------- signals


def exit_on_signals(cleanup: Callable[[], None]) -> None:
    """On SIGTERM or SIGINT runs `cleanup` and exits with 128 + signal number.

    A thread that waits for the signal, not a handler: a handler would have to wait until the main
    thread leaves native code, which in a collective with a dead peer can take minutes. Call this
    before any other thread is started, so that all inherit the blocked mask.
    """
    signals = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)

    def wait() -> None:
        number = signal.sigwait(signals)
        try:
            cleanup()
        finally:
            os._exit(128 + number)

    threading.Thread(target=wait, name="signals", daemon=True).start()


# ---------------------------------------------------------------- files


def prepare_out(directory: Path) -> None:
    """Makes the output directory and removes an earlier run's results, which must not pass for
    this run's. Raises OSError when it cannot be written."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("results.json", "details.txt", "result_0.txt"):
        (directory / name).unlink(missing_ok=True)
    probe = directory / f".probe.{os.getpid()}"
    probe.write_bytes(b"")
    probe.unlink()


def write_atomically(path: Path, text: str) -> None:
    """A reader sees the old file or the whole new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_results(path: Path, benchmark: str, status: str, performance: dict[str, Any]) -> None:
    """The site's results.json; figures that were not measured are null."""
    record = {"benchmark": benchmark, "note": NOTE, "status": status, "performance": performance}
    write_atomically(path, json.dumps(record, indent=2, allow_nan=False) + "\n")


# ---------------------------------------------------------------- host


def _proc(name: str) -> str:
    try:
        return Path("/proc", name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _proc_field(text: str, name: str) -> Optional[str]:
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def _mib(text: str, name: str) -> str:
    """A field that /proc gives as `N kB` (which are KiB), as MiB."""
    value = (_proc_field(text, name) or "").split()
    return f"{int(value[0]) / 1024:.0f} MiB" if value else "not measured"


def cpu_model() -> str:
    return _proc_field(_proc("cpuinfo"), "model name") or platform.machine() or "unknown CPU"


def cpu_platform() -> str:
    """Sockets and model, without the host's name: `1 x AMD EPYC`."""
    sockets = {line for line in _proc("cpuinfo").splitlines() if line.startswith("physical id")}
    return f"{max(1, len(sockets))} x {cpu_model()}"


def host_lines() -> list[str]:
    load = " ".join(_proc("loadavg").split()[:3]) or "not measured"
    return [
        f"cpu model: {cpu_model()}",
        f"cpus usable: {len(os.sched_getaffinity(0))} of {os.cpu_count()}",
        f"memory: {_mib(_proc('meminfo'), 'MemTotal')}",
        f"load average at start (1, 5, 15 min): {load}",
    ]


def _cpu_ticks() -> tuple[int, int]:
    """Busy and total clock ticks of the whole machine since boot (proc(5), first line of stat)."""
    ticks = [int(word) for word in _proc("stat").partition("\n")[0].split()[1:9]]
    if len(ticks) < 5:
        return 0, 0
    idle = ticks[3] + ticks[4]  # idle and iowait
    return sum(ticks) - idle, sum(ticks)


@dataclass
class Details:
    """details.txt: rewritten whole at each change, so that a killed run leaves what it knew."""

    path: Optional[Path]
    title: str
    header: list[str] = field(default_factory=list)
    evaluations: list[str] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    outcome: list[str] = field(default_factory=list)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    def add(self, section: list[str], *lines: str) -> None:
        with self._lock:
            section.extend(lines)
            if self.path:
                write_atomically(self.path, self._text())

    def close_quietly(self, *lines: str) -> None:
        """`add` for the way out: an error in it must not hide the error that led here."""
        try:
            self.add(self.outcome, *lines)
        except OSError:
            pass

    def _text(self) -> str:
        parts = [
            [f"{self.title}: {NOTE}", *self.header],
            ["evaluations", *(self.evaluations or ["none yet"])],
            [f"readings, every {READING_INTERVAL_S:.0f} s", *(self.readings or ["none yet"])],
            ["outcome", *(self.outcome or ["unfinished"])],
        ]
        return "\n\n".join("\n".join(part) for part in parts) + "\n"


class HostReader:
    """Reads CPU and memory from /proc every READING_INTERVAL_S seconds in a light thread."""

    def __init__(self, details: Details, gpu_text: str) -> None:
        self._details = details
        self._gpu_text = gpu_text
        self._stop = threading.Event()
        self._start_s = self._before_s = time.monotonic()
        self._ticks = _cpu_ticks()
        self._process_cpu_s = time.process_time()
        self._thread = threading.Thread(target=self._run, name="readings", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread after a last reading, so that a short run has one too."""
        self._stop.set()
        self._thread.join()
        self._details.add(self._details.readings, self._reading())

    def _run(self) -> None:
        while not self._stop.wait(READING_INTERVAL_S):
            try:
                self._details.add(self._details.readings, self._reading())
            except OSError:
                pass  # the main thread meets the same error on its next write, and reports it

    def _reading(self) -> str:
        now_s, ticks, process_cpu_s = time.monotonic(), _cpu_ticks(), time.process_time()
        span_s = max(now_s - self._before_s, 1e-9)
        busy, total = (new - old for new, old in zip(ticks, self._ticks))
        machine = f"{100 * busy / total:.0f} %" if total > 0 else "not measured"
        process = 100 * (process_cpu_s - self._process_cpu_s) / span_s
        self._before_s, self._ticks, self._process_cpu_s = now_s, ticks, process_cpu_s
        return (f"{now_s - self._start_s:7.1f} s  cpu, machine {machine}, this process "
                f"{process:.0f} % of one core; memory, this process "
                f"{_mib(_proc('self/status'), 'VmRSS')}, available "
                f"{_mib(_proc('meminfo'), 'MemAvailable')}; gpu {self._gpu_text}")


def utc_now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
