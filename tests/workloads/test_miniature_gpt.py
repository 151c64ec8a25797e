"""Behaviour of suites/workloads/miniature_gpt.py, run as the process that a launcher starts.

Needs a Python with torch (Debian: python3-torch); without one the tests of the training skip.
Run: /usr/bin/python3 tests/workloads/test_miniature_gpt.py
"""
from __future__ import annotations

import importlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

WORKLOAD = Path(__file__).resolve().parents[2] / "suites" / "workloads" / "miniature_gpt.py"
PREFIX = ":::MLLOG "
RANK_VARIABLES = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
LIMIT_S = 60

HEADER = [
    "cache_clear", "init_start", "submission_benchmark", "miniature", "submission_org",
    "submission_division", "submission_status", "submission_platform", "seed",
    "global_batch_size", "opt_name", "opt_base_learning_rate", "opt_end_learning_rate",
    "opt_adam_beta_1", "opt_adam_beta_2", "opt_adam_epsilon", "opt_weight_decay",
    "opt_learning_rate_decay_steps", "opt_learning_rate_warmup_steps",
    "opt_learning_rate_decay_schedule", "opt_gradient_clip_norm", "init_checkpoint_step",
    "gradient_accumulation_steps", "max_sequence_length", "train_samples", "eval_samples",
    "init_stop", "run_start", "epoch_start", "block_start",
]
EVALUATION = ["eval_start", "eval_accuracy", "eval_stop"]
FOOTER = ["block_stop", "epoch_stop", "tracked_stats", "run_stop"]


def find_python() -> Optional[str]:
    """This interpreter if it has torch, else the system's, where Debian's package puts it."""
    if importlib.util.find_spec("torch"):
        return sys.executable
    system = "/usr/bin/python3"
    code = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))"
    try:
        return system if subprocess.run([system, "-c", code], check=False).returncode == 0 else None
    except OSError:
        return None


PYTHON = find_python()
needs_torch = unittest.skipUnless(PYTHON, "torch is not installed (package python3-torch)")


def start(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    environment = {k: v for k, v in os.environ.items() if k not in RANK_VARIABLES}
    command = [PYTHON or sys.executable, "-B", str(WORKLOAD), *arguments]
    return subprocess.Popen(command, env={**environment, **variables}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def workload_module() -> ModuleType:
    sys.path.insert(0, str(WORKLOAD.parent))
    try:
        return importlib.import_module(WORKLOAD.stem)
    finally:
        sys.path.pop(0)


class Outcome:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        try:
            self.stdout, self.stderr = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        self.code = process.returncode

    @property
    def records(self) -> list[dict[str, Any]]:
        """Every stdout line must be an MLLOG line: anything else raises."""
        lines = self.stdout.splitlines()
        assert all(line.startswith(PREFIX) for line in lines), self.stdout
        return [json.loads(line[len(PREFIX):]) for line in lines]

    @property
    def keys(self) -> list[str]:
        return [record["key"] for record in self.records]

    def value(self, key: str) -> Any:
        (record,) = [record for record in self.records if record["key"] == key]
        return record["value"]

    def metadata(self, key: str) -> dict[str, Any]:
        (record,) = [record for record in self.records if record["key"] == key]
        return record["metadata"]

    @property
    def losses(self) -> list[float]:
        return [r["value"] for r in self.records if r["key"] == "eval_accuracy"]


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class TemporaryOut(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        self.out = self.root / "out"

    def run_workload(self, *arguments: str, **variables: str) -> Outcome:
        return Outcome(start("--out", str(self.out), *arguments, **variables))


@needs_torch
class FinishedRun(unittest.TestCase):
    """Two short runs with one seed, of which the second reaches its target, for several tests."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.out = Path(cls.holder.name, "a")
        cls.second_out = cls.out.with_name("b")
        arguments = ("--seed", "7", "--steps", "3", "--eval-interval", "2", "--out")
        first = start(*arguments, str(cls.out))
        # Untrained, the loss is about ln(256) = 5.5: a target of 10 is reached at once.
        second = start(*arguments, str(cls.second_out), "--target", "10", "--target-time", "60")
        cls.first, cls.second = Outcome(first), Outcome(second)

    def test_order_of_keys(self) -> None:
        # 3 steps, one evaluation every 2 and one at the end.
        self.assertEqual(self.first.keys, HEADER + EVALUATION * 2 + FOOTER)

    def test_record_layout(self) -> None:
        before_ms = 0
        for record in self.first.records:
            self.assertEqual(list(record), ["namespace", "time_ms", "event_type", "key", "value",
                                            "metadata"])
            self.assertEqual(record["namespace"], "")
            kind = {"start": "INTERVAL_START", "stop": "INTERVAL_END"}.get(
                record["key"].rpartition("_")[2], "POINT_IN_TIME")
            self.assertEqual(record["event_type"], kind)
            self.assertEqual(record["metadata"]["file"], "miniature_gpt.py")
            self.assertIsInstance(record["metadata"]["lineno"], int)
            self.assertGreaterEqual(record["time_ms"], before_ms)
            before_ms = record["time_ms"]

    def test_says_that_it_is_a_miniature(self) -> None:
        self.assertEqual(self.first.value("submission_benchmark"), "miniature_gpt")
        self.assertEqual(self.first.value("miniature"), "miniature, not MLPerf")
        self.assertIn("miniature, not MLPerf", (self.out / "details.txt").read_text())

    def test_evaluations_carry_the_trained_tokens(self) -> None:
        per_step = self.first.value("global_batch_size") * self.first.value("max_sequence_length")
        epochs = [r["metadata"]["epoch_num"] for r in self.first.records
                  if r["key"] == "eval_accuracy"]
        self.assertEqual(epochs, [2 * per_step, 3 * per_step])

    def test_file_equals_stdout(self) -> None:
        self.assertEqual((self.out / "result_0.txt").read_text(), self.first.stdout)

    def test_missed_target_is_aborted(self) -> None:
        self.assertEqual(self.first.code, 1)
        self.assertEqual(self.first.metadata("run_stop")["status"], "aborted")
        performance = json.loads((self.out / "results.json").read_text())["performance"]
        self.assertIsNone(performance["time_to_train"])
        self.assertEqual(performance["final_loss"], self.first.losses[-1])

    def test_reached_target_ends_the_run(self) -> None:
        run = self.second
        self.assertEqual(run.code, 0, run.stderr)
        self.assertEqual(run.keys, HEADER + EVALUATION + FOOTER)
        self.assertEqual(run.metadata("run_stop")["status"], "success")
        start_ms, stop_ms = (next(r["time_ms"] for r in run.records if r["key"] == key)
                             for key in ("run_start", "run_stop"))
        result = json.loads((self.second_out / "results.json").read_text())
        self.assertEqual(result, {
            "benchmark": "miniature_gpt", "note": "miniature, not MLPerf", "status": "success",
            "performance": {
                "number_of_gpus": 0, "world_size": 1,
                "time_to_train": (stop_ms - start_ms) / 1000, "target_time_to_train": 60.0,
                "convergence_metric": "loss", "final_loss": run.losses[0],
                "scaling_efficiency": None}})

    def test_same_seed_gives_same_losses(self) -> None:
        self.assertEqual(self.first.value("seed"), 7)
        self.assertEqual(self.second.losses, self.first.losses[:1])

    def test_progress_is_one_line_per_evaluation(self) -> None:
        lines = self.first.stderr.splitlines()
        self.assertEqual(len(lines), 2, self.first.stderr)
        self.assertRegex(lines[0], r"^step 2 of 3  loss \d\.\d+  target 2\.20$")

    def test_details_hold_versions_readings_and_evaluations(self) -> None:
        text = (self.out / "details.txt").read_text()
        for part in ("torch ", "cpu model: ", "seed: 7", "step     2", "this process",
                     "not measured: no GPU", "throughput: "):
            self.assertIn(part, text)

    def test_no_other_files_are_left(self) -> None:
        self.assertEqual(sorted(os.listdir(self.out)),
                         ["details.txt", "result_0.txt", "results.json"])

    def test_two_ranks_log_once_and_learn_the_same(self) -> None:
        out = self.out.with_name("ranks")
        place = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": free_port()}
        # The second rank's own seed must not count.
        ranks = [start("--out", str(out), "--steps", "2", "--seed", str(7 + n),
                       RANK=str(n), LOCAL_RANK=str(n), **place) for n in range(2)]
        first, second = [Outcome(rank) for rank in ranks]
        self.assertEqual((first.code, second.code), (1, 1), first.stderr + second.stderr)
        self.assertEqual(first.keys, HEADER + EVALUATION + FOOTER)
        self.assertEqual(second.stdout, "")
        performance = json.loads((out / "results.json").read_text())["performance"]
        self.assertEqual(performance["world_size"], 2)
        self.assertIsNone(performance["scaling_efficiency"])
        # Also after 2 steps; float32 sums in another order.
        self.assertAlmostEqual(first.losses[0], self.first.losses[0], places=4)


@needs_torch
class OtherRuns(TemporaryOut):
    def test_sigterm_aborts_the_run(self) -> None:
        self.out.mkdir()
        (self.out / "results.json").write_text("an earlier run's")
        process = start("--out", str(self.out), "--steps", "100000")
        seen = ""
        while '"block_start"' not in seen:
            line = process.stdout.readline()
            self.assertTrue(line, "the run ended before it began")
            seen += line
        sent_s = time.monotonic()
        process.send_signal(signal.SIGTERM)
        run = Outcome(process)
        self.assertLess(time.monotonic() - sent_s, 2)
        self.assertEqual(run.code, 143)
        log = (self.out / "result_0.txt").read_text()
        self.assertEqual(log, seen + run.stdout)
        self.assertEqual(run.keys[-1], "run_stop")
        self.assertEqual(run.records[-1]["metadata"]["status"], "aborted")
        self.assertEqual(log.count('"run_stop"'), 1)
        self.assertFalse((self.out / "results.json").exists())

    def test_lost_reader_is_an_error_not_a_missed_target(self) -> None:
        process = start("--out", str(self.out))
        process.stdout.close()
        process.stderr.close()
        self.assertEqual(process.wait(LIMIT_S), 4)
        self.assertFalse((self.out / "results.json").exists())

    def test_gpu_preset_without_gpu_is_not_measured(self) -> None:
        run = self.run_workload("--preset", "gpu", CUDA_VISIBLE_DEVICES="")
        self.assertEqual((run.code, run.stdout), (3, ""))
        self.assertEqual(run.stderr.splitlines(), ["miniature_gpt: not measured: no GPU"])
        self.assertFalse((self.out / "results.json").exists())


class WithoutTorch(TemporaryOut):
    """What needs no torch."""

    def test_corpus_takes_each_content_once_and_holds_out_the_ends(self) -> None:
        (self.root / "a").write_bytes(b"a" * 90_000 + b"A" * 10_000)
        (self.root / "b").symlink_to("a")
        (self.root / "c").write_bytes(b"c" * 90_000 + b"C" * 10_000)
        corpus = workload_module().load_corpus(self.root)
        self.assertEqual(corpus.text_count, 2)
        self.assertEqual(corpus.train, b"a" * 90_000 + b"c" * 90_000)
        self.assertEqual(corpus.held_out, b"A" * 10_000 + b"C" * 10_000)

    def test_too_little_text_is_an_error(self) -> None:
        with self.assertRaisesRegex(OSError, "too little text: 0 bytes"):
            workload_module().load_corpus(self.root)

    def test_usage_errors(self) -> None:
        cases = ((), ("--out", "x", "--steps", "0"), ("--out", "x", "--seed", "-1"),
                 ("--out", "x", "--target", "nan"), ("--out", "x", "--preset", "tpu"))
        for arguments, process in [(case, start(*case)) for case in cases]:
            run = Outcome(process)
            with self.subTest(arguments):
                self.assertEqual((run.code, run.stdout), (2, ""))

    def test_contradictory_rank_variables(self) -> None:
        for variables in ({"WORLD_SIZE": "2"}, {"WORLD_SIZE": "two"}, {"RANK": "1"},
                          {"WORLD_SIZE": "3", "RANK": "0", "MASTER_ADDR": "a", "MASTER_PORT": "1"}):
            with self.subTest(variables):
                run = self.run_workload(**variables)
                self.assertEqual(run.code, 2, run.stderr)
        self.assertFalse(self.out.exists())

    def test_out_that_cannot_be_written(self) -> None:
        self.out.write_text("a file in the way")
        run = self.run_workload()
        self.assertEqual((run.code, run.stdout), (4, ""))
        self.assertRegex(run.stderr, r"\Aminiature_gpt: cannot write to --out: .*\n\Z")

    def test_missing_torch_names_the_packages(self) -> None:
        (self.root / "torch.py").write_text("raise ImportError('libblas.so.3: no such file')")
        run = self.run_workload(PYTHONPATH=str(self.root))
        self.assertEqual((run.code, run.stdout), (4, ""))
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        for part in ("python3-torch", "libopenblas0-pthread", "libblas.so.3"):
            self.assertIn(part, run.stderr)


if __name__ == "__main__":
    unittest.main()
