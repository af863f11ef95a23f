"""ffmpeg's filters that exist twice, for the device and for the CPU, with options that mean the same for both."""

from dataclasses import dataclass

WIDTH, HEIGHT = 128, 96  # px


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of frames in `pixels`, yuv420p, yuv444p or yuv420p10le.

    `largest` and `mean` are the tolerances of its frames' values against the CPU's. The two versions of a filter fill in
    the pixels beyond an edge differently: `margin` pixels there are not compared.
    """

    name: str
    options: str = ""
    inputs: int = 1
    maps: tuple[str, ...] = ()  # more inputs, of 16 bits: the column and the row from which pixel (X, Y) comes
    largest: int = 1  # the last bit of a rounded byte
    mean: float = 0.5
    margin: int = 0
    own_options: str = ""  # more of them, only for the device's version
    pixels: str = "yuv420p"
    width: int = WIDTH  # of the output frames
    height: int = HEIGHT
    source: str = ""  # other frames than the test source's
    upload: str = ""  # the format of upload and download, if it is not `pixels`
    download: str = ""
    cpu: str = ""  # the CPU's version, if it is not the filter of that name with these options


def _tonemap(curve: str, pixels: str, largest: int, mean: float) -> Filter:
    """Frames of HDR (BT.2020, PQ, 10 bits) to BT.709. Of the device only the first frame: it adapts to earlier ones.

    The device's version takes a code of 10 bits as 64 / 65535 of white, the CPU's as 1 / 1023: both are a few codes off.
    """
    return Filter(
        "tonemap",
        f"tonemap={curve}:desat=0:peak=10",
        own_options=f"format={'nv12' if pixels == 'yuv420p' else 'p010'}:p=bt709:t=bt709:m=bt709:r=tv",
        source=(
            f"nullsrc=size={WIDTH}x{HEIGHT}:rate=5:duration=0.2,format=yuv420p10le,"
            "geq=lum='200+4*X+Y':cb='512+(X-32)/4':cr='512-(Y-24)/4',"
            "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv"
        ),
        upload="p010le",
        download="nv12" if pixels == "yuv420p" else "p010le",
        pixels=pixels,
        largest=largest,
        mean=mean,
        cpu=(
            "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
            f"tonemap=tonemap={curve}:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv"
        ),
    )


_MATRIX = "1 2 1 2 4 2 1 2 1"
_SHARPER = "0 -1 0 -1 5 -1 0 -1 0"
FILTERS = {
    "avgblur": Filter("avgblur", "sizeX=3:sizeY=3", margin=4),
    "boxblur": Filter("boxblur", "luma_radius=3:luma_power=2", largest=8, margin=8),  # the CPU rounds after each pass
    "convolution.blur": Filter("convolution", ":".join([_MATRIX] * 4 + ["1/16"] * 4), margin=1),
    "convolution.sharpen": Filter("convolution", ":".join([_SHARPER] * 4), margin=1),
    "dilation": Filter("dilation"),
    "erosion": Filter("erosion"),
    "nlmeans": Filter("nlmeans", "s=2:p=5:r=7", largest=12, mean=2, margin=12),  # the CPU's weights are integers
    "overlay": Filter("overlay", "x=16:y=8", inputs=2),
    "pad": Filter("pad", "w=160:h=112:x=16:y=8:color=black", largest=0, mean=0, width=160, height=112),
    "prewitt": Filter("prewitt", "scale=1", margin=1),
    "roberts": Filter("roberts", "scale=1", margin=1),
    "sobel": Filter("sobel", "scale=1", margin=1),
    "remap": Filter(
        "remap", maps=(f"{WIDTH - 1}-X", f"{HEIGHT - 1}-Y"), own_options="interp=near", largest=0, mean=0, pixels="yuv444p"
    ),
    "transpose.clock": Filter("transpose", "dir=clock", width=HEIGHT, height=WIDTH),
    "transpose.cclock_flip": Filter("transpose", "dir=cclock_flip", width=HEIGHT, height=WIDTH),
    "unsharp": Filter("unsharp", "lx=5:ly=5:la=1:cx=5:cy=5:ca=0.5", largest=16, mean=1.5, margin=4),  # other weights
    "tonemap.hable": _tonemap("hable", "yuv420p", 18, 3.0),
    "tonemap.mobius.10_bits": _tonemap("mobius", "yuv420p10le", 28, 11.0),
    "tonemap.reinhard.10_bits": _tonemap("reinhard", "yuv420p10le", 28, 11.0),
}
