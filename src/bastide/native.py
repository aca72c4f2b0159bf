"""The names through which compiled code asks for machine integers, and whether it was compiled at all.

`i64` and `mypyc_attr` come from mypy_extensions, which `librt.vecs` needs at run time anyway: only its own `i64` makes
a `vec[i64]` when the source runs uncompiled. The engine imports both from here and from nowhere else.
"""

from mypy_extensions import i16 as i16
from mypy_extensions import i64 as i64
from mypy_extensions import mypyc_attr as mypyc_attr
from mypy_extensions import u8 as u8

from bastide._guard import compiled as compiled
