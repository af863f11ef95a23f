"""In the place of siphash24, no release of which has a wheel for musl: a hash of 8 bytes.

pytools, of pyopencl, names entries of its caches with it, and nothing else uses it.
"""

from hashlib import blake2b


class siphash13:
    """As siphash24.siphash13, of another function."""

    def __init__(self, data=b"", **_):
        hash = blake2b(data, digest_size=8)
        self.update, self.digest, self.hexdigest = hash.update, hash.digest, hash.hexdigest
