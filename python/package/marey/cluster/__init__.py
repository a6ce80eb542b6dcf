"""Work on corpora that are too large for one machine, distributed with Ray.

Every function returns the same bytes as on one machine, for any number of workers: tasks run in any order, and their results are
combined in a fixed order. A task is repeated if its worker or node dies. Start Ray as usual (``ray.init(address=...)``); otherwise it
is started on this machine.
"""

from ._archive import build, inspect
from ._distances import distances
from ._synthesis import leave_one_out, synthesise
from ._takes import features, label

__all__ = ["build", "distances", "features", "inspect", "label", "leave_one_out", "synthesise"]
