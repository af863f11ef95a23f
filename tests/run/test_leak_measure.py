"""What kernels/stress/leak measures beside the process's resident memory, for a process that is only a folder."""

import mmap
import os
from pathlib import Path

from suites.kernels.stress.leak import elsewhere, resident

_BUFFERS = "drm-driver:\tamdgpu\ndrm-client-id:\t7\ndrm-total-vram:\t{vram} KiB\ndrm-total-gtt:\t2 MiB\ndrm-total-cpu:\t0\n"


def _process(folder: Path, infos: list[str]) -> Path:
    (folder / "fd").mkdir()
    (folder / "fdinfo").mkdir()
    for number, info in enumerate(infos):
        (folder / "fd" / str(number)).symlink_to("/dev/null")
        (folder / "fdinfo" / str(number)).write_text(f"pos:\t0\nflags:\t02\n{info}")
    return folder


def test_what_a_kernels_driver_keeps_is_counted_once_a_client(tmp_path: Path) -> None:
    once = _BUFFERS.format(vram=64)
    other = once.replace("client-id:\t7", "client-id:\t8")
    assert elsewhere(_process(tmp_path, ["", once, once, other])) == 2 * ((64 << 10) + (2 << 20))


def test_a_file_without_a_name_counts_by_what_it_takes() -> None:
    before = elsewhere()
    file = os.memfd_create("buffers")
    copy = os.dup(file)
    try:
        os.posix_fallocate(file, 0, 1 << 20)
        assert elsewhere() - before == 1 << 20
    finally:
        os.close(file)
        os.close(copy)


def test_a_nameless_file_is_not_memory_of_the_process_as_often_as_it_is_mapped() -> None:
    size = 16 << 20
    file = os.memfd_create("buffers")
    os.posix_fallocate(file, 0, size)
    before, nameless = resident(), elsewhere()
    with mmap.mmap(file, size) as one, mmap.mmap(file, size) as other:
        assert sum(one[n] + other[n] for n in range(0, size, mmap.PAGESIZE)) == 0
        assert resident() - before < size
        assert elsewhere() == nameless
    private = bytearray(size)
    assert resident() - before >= size
    assert len(private) == size
    os.close(file)
