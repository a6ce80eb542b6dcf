"""A corpus that outgrows one machine: the heavy, clip-parallel work on Ray, with the same Rust code.

Every function gives what one machine gives, to the byte, whatever the number of workers: shares are made in any order and put together
in theirs. Work that is lost with a worker or a node is done again. Start Ray as usual (``ray.init(address=...)``); where nobody did, it is
started on this machine.
"""

from ._archive import build, inspect
from ._distances import distances
from ._making import leave_one_out, synthesise
from ._takes import features, label

__all__ = ["build", "distances", "features", "inspect", "label", "leave_one_out", "synthesise"]
