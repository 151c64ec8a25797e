#!/usr/bin/python3
"""Miniature GPT: a real, small language-model training in the form of MLPerf Training v3.0 GPT-3.

A causal transformer of two layers learns the licence texts of /usr/share/common-licenses byte by
byte, until its loss on held-out text reaches the target. Log, result files and environment
variables are those of the GPT-3 container, so everything around a training can be tried on a
machine without a GPU. The figures are true and say nothing about MLPerf: miniature, not MLPerf.

Writes to --out DIR: result_0.txt (MLLOG lines, also on stdout), results.json, details.txt.
Data-parallel ranks are started from outside with RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and
MASTER_PORT; the first rank writes.

Exit code: 0 target reached, 1 not reached, 2 usage, 3 not measured, 4 error, 143 on SIGTERM.
"""
from __future__ import annotations

import argparse
import datetime
import hashlib
import math
import os
import platform
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import miniature_common as common

if TYPE_CHECKING:
    import torch
    import torch.distributed
    import torch.nn.functional

PROGRAM = "miniature_gpt"
NO_GPU = "not measured: no GPU"
CORPUS = "/usr/share/common-licenses"  # Debian and Ubuntu: package base-files

# The model and the hyper-parameters are locked: a change makes runs incomparable. The optimiser's
# values and the schedule's form are GPT-3's (MLPerf Training rules v3.0); learning rate, batch and
# sequence length fit the small model.
VOCABULARY = 256  # bytes
LAYERS = 2
WIDTH = 128
HEADS = 4
SEQUENCE_LENGTH = 64  # bytes
GLOBAL_BATCH = 16  # sequences
BASE_LEARNING_RATE = 1e-3
END_LEARNING_RATE = 1e-4
WARMUP_STEPS = 60
DECAY_STEPS = 600  # fixed: --steps ends a run early, it does not change the schedule
BETAS = (0.9, 0.95)
EPSILON = 1e-8
WEIGHT_DECAY = 0.0  # plain Adam: in 600 steps on 200 kB a decay changes nothing
GRADIENT_CLIP_NORM = 1.0
INITIAL_DEVIATION = 0.02  # GPT-2's

HELD_OUT = 0.1  # the last tenth of each text
EVAL_SEQUENCES = 256
EVAL_BATCH = 64  # sequences

# Longer than any step here; a rank whose peer has died ends after it.
COLLECTIVE_TIMEOUT = datetime.timedelta(seconds=120)


# ---------------------------------------------------------------- corpus


@dataclass(frozen=True)
class Corpus:
    train: bytes
    held_out: bytes
    text_count: int
    sha256: str


def distinct_texts(directory: Path) -> list[bytes]:
    """The directory's texts by name, each content once: several names are links to another."""
    texts: dict[bytes, None] = {}
    for path in sorted(directory.iterdir()):
        if path.is_file():
            texts.setdefault(path.read_bytes())
    return list(texts)


def load_corpus(directory: Path) -> Corpus:
    """Holds out the end of each text, so that the split is the same in every run."""
    texts = distinct_texts(directory)
    cuts = [len(text) - int(len(text) * HELD_OUT) for text in texts]
    corpus = Corpus(
        train=b"".join(text[:cut] for text, cut in zip(texts, cuts)),
        held_out=b"".join(text[cut:] for text, cut in zip(texts, cuts)),
        text_count=len(texts),
        sha256=hashlib.sha256(b"".join(texts)).hexdigest(),
    )
    needed = EVAL_SEQUENCES * SEQUENCE_LENGTH + 1
    if len(corpus.held_out) < needed:
        raise OSError(f"{directory}: too little text: {len(corpus.held_out)} bytes held out, "
                      f"{needed} needed (licence texts of package base-files)")
    return corpus


def clear_page_cache(directory: Path) -> bool:
    """Drops the corpus, and nothing else, from the page cache; False when the system refuses."""
    try:
        for path in directory.iterdir():
            if path.is_file():
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                finally:
                    os.close(descriptor)
    except OSError:
        return False
    return True


def windows(data: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
    """Sequences of SEQUENCE_LENGTH + 1 bytes: inputs and, shifted by one, what to predict."""
    return data[starts[:, None] + torch.arange(SEQUENCE_LENGTH + 1)]


def as_tensor(data: bytes) -> torch.Tensor:
    return torch.tensor(list(data), dtype=torch.long)


# ---------------------------------------------------------------- model


class Gpt:
    """A pre-norm causal transformer, GPT-2's layout, without dropout.

    Not a torch.nn.Module, because torch is imported only after the command line was read.
    """

    def __init__(self) -> None:
        self.parameters: dict[str, torch.Tensor] = {}
        self._normal("token", VOCABULARY, WIDTH)
        self._normal("position", SEQUENCE_LENGTH, WIDTH)
        for layer in range(LAYERS):
            self._norm(f"{layer}.norm1")
            self._linear(f"{layer}.qkv", WIDTH, 3 * WIDTH)
            self._linear(f"{layer}.project", WIDTH, WIDTH)
            self._norm(f"{layer}.norm2")
            self._linear(f"{layer}.expand", WIDTH, 4 * WIDTH)
            self._linear(f"{layer}.contract", 4 * WIDTH, WIDTH)
        self._norm("norm")
        self._linear("head", WIDTH, VOCABULARY)
        for parameter in self.parameters.values():
            parameter.requires_grad_()
        ones = torch.ones(SEQUENCE_LENGTH, SEQUENCE_LENGTH)
        self._mask = torch.triu(ones * -math.inf, diagonal=1)

    @property
    def size(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters.values())

    def loss(self, sequences: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
        """Cross-entropy in nats per byte."""
        logits = self._logits(sequences[:, :-1])
        return torch.nn.functional.cross_entropy(
            logits.reshape(-1, VOCABULARY), sequences[:, 1:].reshape(-1), reduction=reduction)

    def _normal(self, name: str, *shape: int) -> None:
        self.parameters[name] = torch.randn(*shape) * INITIAL_DEVIATION

    def _linear(self, name: str, inputs: int, outputs: int) -> None:
        self._normal(f"{name}.weight", outputs, inputs)
        self.parameters[f"{name}.bias"] = torch.zeros(outputs)

    def _norm(self, name: str) -> None:
        self.parameters[f"{name}.weight"] = torch.ones(WIDTH)
        self.parameters[f"{name}.bias"] = torch.zeros(WIDTH)

    def _pair(self, name: str) -> tuple[torch.Tensor, torch.Tensor]:
        return self.parameters[f"{name}.weight"], self.parameters[f"{name}.bias"]

    def _apply_norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.layer_norm(x, (WIDTH,), *self._pair(name))

    def _apply_linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.linear(x, *self._pair(name))

    def _attention(self, layer: int, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        qkv = self._apply_linear(f"{layer}.qkv", x)
        qkv = qkv.view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        query, key, value = qkv[0], qkv[1], qkv[2]
        scores = query @ key.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
        mixed = torch.softmax(scores + self._mask, dim=-1) @ value
        return self._apply_linear(f"{layer}.project", mixed.transpose(1, 2).reshape(x.shape))

    def _logits(self, tokens: torch.Tensor) -> torch.Tensor:
        functional = torch.nn.functional
        x = functional.embedding(tokens, self.parameters["token"]) + self.parameters["position"]
        for layer in range(LAYERS):
            x = x + self._attention(layer, self._apply_norm(f"{layer}.norm1", x))
            hidden = self._apply_linear(f"{layer}.expand", self._apply_norm(f"{layer}.norm2", x))
            x = x + self._apply_linear(f"{layer}.contract", functional.gelu(hidden))
        return self._apply_linear("head", self._apply_norm("norm", x))


# ---------------------------------------------------------------- training


def learning_rate(step: int) -> float:
    """Of the step after `step` finished ones: linear warm-up, then a cosine to the end value."""
    if step < WARMUP_STEPS:
        return BASE_LEARNING_RATE * (step + 1) / WARMUP_STEPS
    part = min(1.0, (step - WARMUP_STEPS) / (DECAY_STEPS - WARMUP_STEPS))
    cosine = 0.5 * (1.0 + math.cos(math.pi * part))
    return END_LEARNING_RATE + (BASE_LEARNING_RATE - END_LEARNING_RATE) * cosine


class Trainer:
    """One rank's model and data. All ranks draw the same global batch and take their own slice,
    so the number of ranks changes the result by rounding only."""

    def __init__(self, corpus: Corpus, seed: int, ranks: common.Ranks) -> None:
        torch.manual_seed(seed)
        self._ranks = ranks
        self._train = as_tensor(corpus.train)
        held_out = as_tensor(corpus.held_out)
        stride = (len(held_out) - 1) // EVAL_SEQUENCES
        self._eval = windows(held_out, torch.arange(EVAL_SEQUENCES) * stride)
        self._draws = torch.Generator().manual_seed(seed)
        self.model = Gpt()
        self._parameters = list(self.model.parameters.values())
        self._optimizer = torch.optim.Adam(self._parameters, lr=BASE_LEARNING_RATE, betas=BETAS,
                                           eps=EPSILON, weight_decay=WEIGHT_DECAY)
        self.steps_done = 0

    @property
    def train_sequences(self) -> int:
        return len(self._train) // SEQUENCE_LENGTH

    @property
    def tokens(self) -> int:
        """Bytes trained on, over all ranks: GPT-3's epoch_num."""
        return self.steps_done * GLOBAL_BATCH * SEQUENCE_LENGTH

    def step(self) -> None:
        end = len(self._train) - SEQUENCE_LENGTH
        starts = torch.randint(end, (GLOBAL_BATCH,), generator=self._draws)
        mine = starts[self._ranks.rank::self._ranks.world_size]
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate(self.steps_done)
        self._optimizer.zero_grad()
        self.model.loss(windows(self._train, mine)).backward()
        self._average_gradients()
        torch.nn.utils.clip_grad_norm_(self._parameters, GRADIENT_CLIP_NORM)
        self._optimizer.step()
        self.steps_done += 1

    def evaluate(self) -> float:
        """Mean loss in nats per byte on the fixed held-out sequences; the same on all ranks."""
        mine = self._eval[self._ranks.rank::self._ranks.world_size]
        total = torch.zeros((), dtype=torch.float64)
        with torch.no_grad():
            for batch in mine.split(EVAL_BATCH):
                total += self.model.loss(batch, reduction="sum").double()
        if self._ranks.world_size > 1:
            torch.distributed.all_reduce(total)
        return float(total) / (EVAL_SEQUENCES * SEQUENCE_LENGTH)

    def _average_gradients(self) -> None:
        """One all-reduce of all gradients; the ranks' slices are equally large."""
        if self._ranks.world_size == 1:
            return
        flat = torch.cat([parameter.grad.reshape(-1) for parameter in self._parameters])
        torch.distributed.all_reduce(flat)
        flat /= self._ranks.world_size
        sizes = [parameter.numel() for parameter in self._parameters]
        for parameter, part in zip(self._parameters, flat.split(sizes)):
            parameter.grad.copy_(part.view_as(parameter))


# ---------------------------------------------------------------- run


@dataclass
class Run:
    """What the phases of a run share."""

    arguments: argparse.Namespace
    ranks: common.Ranks
    log: common.MllogWriter
    details: common.Details
    seed: int = 0
    start_ms: int = 0  # time_ms of run_start
    training_s: float = 0.0  # steps only, without evaluations
    final_loss: float = math.nan


def log_configuration(run: Run, trainer: Trainer) -> None:
    """The keys of the v3.0 GPT-3 containers, in their order, and `miniature`."""
    point = run.log.point
    point("submission_benchmark", PROGRAM)
    point("miniature", common.NOTE)
    point("submission_org", "not a submission")
    point("submission_division", "open")
    point("submission_status", "research")
    point("submission_platform", common.cpu_platform())
    point("seed", run.seed)
    point("global_batch_size", GLOBAL_BATCH)
    point("opt_name", "adam")
    point("opt_base_learning_rate", BASE_LEARNING_RATE)
    point("opt_end_learning_rate", END_LEARNING_RATE)
    point("opt_adam_beta_1", BETAS[0])
    point("opt_adam_beta_2", BETAS[1])
    point("opt_adam_epsilon", EPSILON)
    point("opt_weight_decay", WEIGHT_DECAY)
    point("opt_learning_rate_decay_steps", DECAY_STEPS)
    point("opt_learning_rate_warmup_steps", WARMUP_STEPS)
    point("opt_learning_rate_decay_schedule", "cosine with linear warmup")
    point("opt_gradient_clip_norm", GRADIENT_CLIP_NORM)
    point("init_checkpoint_step", 0)
    point("gradient_accumulation_steps", 1)
    point("max_sequence_length", SEQUENCE_LENGTH)
    point("train_samples", trainer.train_sequences)
    point("eval_samples", EVAL_SEQUENCES)


def agree_on_seed(seed: Optional[int], ranks: common.Ranks) -> int:
    """The first rank's seed, for all ranks."""
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    if ranks.world_size > 1:
        shared = torch.tensor([seed], dtype=torch.int64)
        torch.distributed.broadcast(shared, src=0)
        seed = int(shared)
    return seed


def initialise(run: Run) -> Trainer:
    directory = Path(run.arguments.data)
    run.log.point("cache_clear", clear_page_cache(directory))
    run.log.start("init_start")
    if run.ranks.world_size > 1:
        torch.distributed.init_process_group("gloo", rank=run.ranks.rank,
                                             world_size=run.ranks.world_size,
                                             timeout=COLLECTIVE_TIMEOUT)
    run.seed = agree_on_seed(run.arguments.seed, run.ranks)
    corpus = load_corpus(directory)
    trainer = Trainer(corpus, run.seed, run.ranks)
    log_configuration(run, trainer)
    describe(run, corpus, trainer)
    run.log.end("init_stop")
    return trainer


def describe(run: Run, corpus: Corpus, trainer: Trainer) -> None:
    run.details.add(
        run.details.header,
        f"started: {common.utc_now()}",
        f"python {platform.python_version()}, torch {torch.__version__}, "
        f"threads {torch.get_num_threads()}, ranks {run.ranks.world_size}",
        *common.host_lines(),
        f"gpu: {NO_GPU}",
        f"seed: {run.seed}",
        f"model: {LAYERS} layers, width {WIDTH}, {trainer.model.size} parameters",
        f"corpus: {corpus.text_count} texts, {len(corpus.train)} bytes to train on, "
        f"{len(corpus.held_out)} held out, sha256 {corpus.sha256}",
        f"target: {run.arguments.target} nats per byte within {run.arguments.steps} steps",
    )


def evaluate(run: Run, trainer: Trainer) -> bool:
    """Logs one evaluation; True when the target is reached."""
    tokens, step = trainer.tokens, trainer.steps_done
    run.log.start("eval_start", epoch_num=tokens)
    loss = run.final_loss = trainer.evaluate()
    run.log.point("eval_accuracy", loss, epoch_num=tokens)
    run.log.end("eval_stop", epoch_num=tokens)
    if run.ranks.is_first:
        print(f"step {step} of {run.arguments.steps}  loss {loss:.4f}  "
              f"target {run.arguments.target:.2f}", file=sys.stderr, flush=True)
    elapsed_s = time.time() - run.start_ms / 1000
    run.details.add(run.details.evaluations,
                    f"{elapsed_s:7.1f} s  step {step:5d}  {tokens:8d} bytes  loss {loss:.5f}")
    return loss <= run.arguments.target


def train(run: Run, trainer: Trainer) -> bool:
    """Trains until the first evaluation that reaches the target, or to the last step."""
    arguments = run.arguments
    interval_tokens = arguments.eval_interval * GLOBAL_BATCH * SEQUENCE_LENGTH
    run.log.start("epoch_start", epoch_num=0)
    # One block for the whole run, its epoch_count the tokens between evaluations, as NVIDIA's.
    run.log.start("block_start", first_epoch_num=0, epoch_count=interval_tokens)
    reached = False
    while not reached and trainer.steps_done < arguments.steps:
        steps = min(arguments.eval_interval, arguments.steps - trainer.steps_done)
        start_s = time.monotonic()
        for _ in range(steps):
            trainer.step()
        run.training_s += time.monotonic() - start_s
        reached = evaluate(run, trainer)
    run.log.end("block_stop", first_epoch_num=0)
    run.log.end("epoch_stop", epoch_num=trainer.tokens)
    return reached


def finish(run: Run, trainer: Trainer, reached: bool) -> None:
    samples = trainer.steps_done * GLOBAL_BATCH
    elapsed_s = max(1e-3, time.time() - run.start_ms / 1000)
    run.log.point("tracked_stats", {"throughput": samples / elapsed_s}, step=trainer.tokens)
    status = "success" if reached else "aborted"
    stop_ms = run.log.end("run_stop", status=status)
    if not run.ranks.is_first:
        return
    run_s = (stop_ms - run.start_ms) / 1000
    write_results(run, status, run_s)
    run.details.add(
        run.details.outcome,
        f"status: {status}, loss {run.final_loss:.5f}, step {trainer.steps_done}",
        f"run_start to run_stop: {run_s:.3f} s, of it training steps {run.training_s:.3f} s",
        f"throughput: {samples / elapsed_s:.2f} sequences/s with evaluations, "
        f"{samples / run.training_s:.2f} without",
        f"cpu time of this process, with start: {time.process_time():.1f} s",
        "scaling efficiency: not measured",
    )


def write_results(run: Run, status: str, run_s: float) -> None:
    """A run that missed the target has no time to train; one run measures no scaling."""
    performance: dict[str, Any] = {
        "number_of_gpus": 0,
        "world_size": run.ranks.world_size,
        "time_to_train": run_s if status == "success" else None,
    }
    if run.arguments.target_time is not None:
        performance["target_time_to_train"] = run.arguments.target_time
    performance["convergence_metric"] = "loss"
    performance["final_loss"] = common.finite_or_none(run.final_loss)
    performance["scaling_efficiency"] = None
    path = Path(run.arguments.out) / "results.json"
    common.write_results(path, PROGRAM, status, performance)


def perform(run: Run) -> int:
    trainer = initialise(run)
    run.start_ms = run.log.start("run_start")
    reader = common.HostReader(run.details, NO_GPU) if run.ranks.is_first else None
    reached = train(run, trainer)
    if reader:
        reader.stop()
    finish(run, trainer, reached)
    if run.ranks.world_size > 1:
        torch.distributed.destroy_process_group()
    return common.EXIT_REACHED if reached else common.EXIT_NOT_REACHED


# ---------------------------------------------------------------- command line


def positive_int(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more: {text}")
    return value


def seed_number(text: str) -> int:
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError(f"must be 0 to 2^63 - 1: {text}")
    return value


def positive_float(text: str) -> float:
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"must be a positive number: {text}")
    return value


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="A small real GPT training in the form of MLPerf GPT-3; "
        + common.NOTE + ".")
    parser.add_argument("--out", required=True, metavar="DIR", help="where the files go")
    parser.add_argument("--seed", type=seed_number, help="default: drawn and logged")
    parser.add_argument("--steps", type=positive_int, default=600, help="at most (600)")
    parser.add_argument("--target", type=positive_float, default=2.2,
                        help="evaluation loss, nats per byte (2.2)")
    parser.add_argument("--eval-interval", type=positive_int, default=50, help="steps (50)")
    parser.add_argument("--threads", type=positive_int, default=1,
                        help="per rank (1, the fastest for a model this small)")
    parser.add_argument("--preset", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--target-time", type=positive_float, metavar="S",
                        help="time-to-train target, s: copied into results.json")
    parser.add_argument("--data", default=CORPUS, metavar="DIR", help=f"texts ({CORPUS})")
    return parser


def read_ranks(parser: argparse.ArgumentParser) -> common.Ranks:
    try:
        ranks = common.Ranks.from_environment(os.environ)
    except ValueError as error:
        parser.error(str(error))
    if GLOBAL_BATCH % ranks.world_size:
        parser.error(f"the global batch of {GLOBAL_BATCH} does not divide into "
                     f"{ranks.world_size} ranks")
    return ranks


def import_torch(threads: int) -> None:
    """Makes `torch` a global of this module."""
    # OpenBLAS reads its thread count when it is loaded; torch.set_num_threads does not reach it.
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(threads)
    global torch
    try:
        import torch
        import torch.distributed
        import torch.nn.functional
    except (ImportError, OSError) as error:
        common.fail(PROGRAM, f"cannot import torch ({error}): install the packages "
                    "python3-torch and libopenblas0-pthread, and start with /usr/bin/python3")
    torch.set_num_threads(threads)


def check_preset(preset: str) -> None:
    if preset == "gpu":
        reason = "the gpu preset is not available yet" if torch.cuda.is_available() else "no GPU"
        common.fail(PROGRAM, f"not measured: {reason}", common.EXIT_NOT_MEASURED)


def prepare(arguments: argparse.Namespace, ranks: common.Ranks) -> Run:
    if not ranks.is_first:
        return Run(arguments, ranks, common.MllogWriter(None), common.Details(None, PROGRAM))
    out = Path(arguments.out)
    try:
        log = common.MllogWriter(out / "result_0.txt")
    except OSError as error:
        common.fail(PROGRAM, f"cannot write to --out: {error}")
    return Run(arguments, ranks, log, common.Details(out / "details.txt", PROGRAM))


def main() -> int:
    parser = argument_parser()
    arguments = parser.parse_args()
    ranks = read_ranks(parser)
    if ranks.is_first:
        try:
            common.prepare_out(Path(arguments.out))
        except OSError as error:
            common.fail(PROGRAM, f"cannot write to --out: {error}")
    run: Optional[Run] = None

    def abort() -> None:
        if run:
            run.log.abort()
            run.details.close_quietly("status: aborted by a signal")

    common.exit_on_signals(abort)
    import_torch(arguments.threads)
    check_preset(arguments.preset)
    run = prepare(arguments, ranks)
    try:
        return perform(run)
    except Exception as error:  # all of them: Python's exit code, 1, would say "not reached"
        run.log.abort()
        run.details.close_quietly("status: failed", traceback.format_exc())
        common.fail(PROGRAM, f"failed: {str(error) or type(error).__name__}")


if __name__ == "__main__":
    sys.exit(main())
