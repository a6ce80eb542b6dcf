-- Version 7: what is derived from a take, or from all together, is found without reading the rest.

CREATE INDEX derived_by_take ON derived (take);
