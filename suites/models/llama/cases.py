"""The cases of the LLaMA and of its file format."""

from collections.abc import Iterator

from runner.model import Case

GROUP = "models/llama"
COMMON, OTHERS = ("Q4_0", "Q8_0", "Q4_K", "Q6_K"), ("Q4_1", "Q5_0", "Q5_1", "Q5_K", "MXFP4")
FIVE_BITS = "tinygrad>=0.13"  # tinygrad 0.12 does not read these formats


def cases() -> Iterator[Case]:
    """A case for each format of quantisation, and those of the model."""
    for name in COMMON + OTHERS:
        needs = (FIVE_BITS,) if name.startswith("Q5") else ()
        yield Case(f"models/gguf/{name}", "llama.run.format", {"format": name}, needs, group="models/gguf")
    yield Case("models/llama/answer", "llama.run.answer", {"model": "llama"}, group=GROUP)
    yield Case("models/llama/tinygrad.llm", "llama.run.own", {"model": "llama"}, ("tinygrad.llm", "fp16"), group=GROUP)
