"""A library as its difference from another: compressed by zstd with the other one as a prefix (`zstd --patch-from`)."""

import ctypes
import ctypes.util
from functools import cache

from runner.model import InfrastructureError

# zstd.h; its numbers are part of the ABI.
_LEVEL, _WINDOW_LOG, _LONG_MATCHES, _CHECKSUM, _MOST_WINDOW_LOG = 100, 101, 160, 201, 100
_WINDOW = 27  # 128 MiB: both libraries


@cache
def _zstd() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError as error:
        raise InfrastructureError(f"no libzstd here: {error}") from None
    for name in ("ZSTD_createCCtx", "ZSTD_createDCtx"):
        getattr(library, name).restype = ctypes.c_void_p
    for name in ("ZSTD_compressBound", "ZSTD_compress2", "ZSTD_decompressDCtx"):
        getattr(library, name).restype = ctypes.c_size_t
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    return library


def make_delta(base: bytes, new: bytes) -> bytes:
    """The input that `apply_delta` needs in addition to the base."""
    zstd = _zstd()
    context = ctypes.c_void_p(zstd.ZSTD_createCCtx())
    for parameter, value in ((_LEVEL, 6), (_WINDOW_LOG, _WINDOW), (_LONG_MATCHES, 1), (_CHECKSUM, 1)):
        zstd.ZSTD_CCtx_setParameter(context, parameter, value)
    zstd.ZSTD_CCtx_refPrefix(context, base, ctypes.c_size_t(len(base)))
    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(ctypes.c_size_t(len(new))))
    size = zstd.ZSTD_compress2(context, room, ctypes.c_size_t(len(room)), new, ctypes.c_size_t(len(new)))
    zstd.ZSTD_freeCCtx(context)
    return _checked(room, size)


def apply_delta(base: bytes, delta: bytes) -> bytes:
    """The inverse of `make_delta`."""
    zstd = _zstd()
    context = ctypes.c_void_p(zstd.ZSTD_createDCtx())
    zstd.ZSTD_DCtx_setParameter(context, _MOST_WINDOW_LOG, _WINDOW)
    zstd.ZSTD_DCtx_refPrefix(context, base, ctypes.c_size_t(len(base)))
    room = ctypes.create_string_buffer(zstd.ZSTD_getFrameContentSize(delta, ctypes.c_size_t(len(delta))))
    size = zstd.ZSTD_decompressDCtx(context, room, ctypes.c_size_t(len(room)), delta, ctypes.c_size_t(len(delta)))
    zstd.ZSTD_freeDCtx(context)
    return _checked(room, size)


def _checked(room: ctypes.Array[ctypes.c_char], size: int) -> bytes:
    if _zstd().ZSTD_isError(ctypes.c_size_t(size)):
        raise InfrastructureError("zstd refuses: a damaged delta, or one of another base")
    return room.raw[:size]
