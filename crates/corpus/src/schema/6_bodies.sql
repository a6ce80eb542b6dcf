-- Version 6: a body is stored once, also if the rest poses of its takes differ. It is looked up by the length of its bones.

ALTER TABLE skeletons ADD COLUMN bones_m REAL; -- sum of the absolute coordinates of offsets; NULL if an earlier version stored it
CREATE INDEX skeletons_by_bones ON skeletons (joints, bones_m);
