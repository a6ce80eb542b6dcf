-- Version 8: the index of moments is kept in parts, each named by the content of its takes, and so is what was learned. A take that
-- comes leaves them; one that goes takes them with it. An index that was kept in one piece is thrown away.

DROP TRIGGER takes_added;
DROP TRIGGER takes_removed;
DELETE FROM derived WHERE kind >= 'index ' AND kind < 'index!';
DELETE FROM derived WHERE kind >= 'learned ' AND kind < 'learned!';

CREATE TRIGGER takes_added AFTER INSERT ON takes BEGIN
    DELETE FROM derived WHERE kind >= 'index ' AND kind < 'index!';
    DELETE FROM derived WHERE kind >= 'model ' AND kind < 'model!';
END;
CREATE TRIGGER takes_removed AFTER DELETE ON takes BEGIN
    DELETE FROM derived WHERE kind >= 'index ' AND kind < 'index!';
    DELETE FROM derived WHERE kind >= 'model ' AND kind < 'model!';
    DELETE FROM derived WHERE kind >= 'part ' AND kind < 'part!';
    DELETE FROM derived WHERE kind >= 'learned ' AND kind < 'learned!';
END;
