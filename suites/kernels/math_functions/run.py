"""The bodies of the area, by kind."""

from __future__ import annotations

from . import accuracy, constants, contraction, identity, option

BODIES = {
    "math_functions.ulp": accuracy.check_ulp,
    "math_functions.edge": accuracy.check_edges,
    "math_functions.nans": accuracy.check_nans,
    "math_functions.ends": accuracy.check_ends,
    "math_functions.returns": accuracy.check_returns,
    "math_functions.option": option.check_option,
    "math_functions.rounded_divide": option.check_rounded_divide,
    "math_functions.contraction": contraction.check_contraction,
    "math_functions.identity": identity.check_identities,
    "math_functions.macros": constants.check_macros,
    "math_functions.ilogb": constants.check_ilogb,
    "math_functions.nan": constants.check_nan,
}
