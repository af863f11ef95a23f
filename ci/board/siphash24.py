"""A replacement for siphash24, which has no wheel for musl: a hash of 8 bytes.

pytools, of pyopencl, names entries of its caches with it, and nothing else uses it.
"""

from hashlib import blake2b


class siphash13:
    """As siphash24.siphash13, with another hash function."""

    def __init__(self, data=b"", **_):
        hash = blake2b(data, digest_size=8)
        self.update, self.digest, self.hexdigest = hash.update, hash.digest, hash.hexdigest
