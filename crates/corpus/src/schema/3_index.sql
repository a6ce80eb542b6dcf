-- Version 3: the index of moments is kept in small parts that are read as they are needed. One kept in the old way is thrown
-- away, and made anew when it is next asked for; features of takes stay.
DELETE FROM derived WHERE take IS NULL;
