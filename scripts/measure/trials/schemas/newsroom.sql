CREATE TABLE paper (
  paper_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, est_year INTEGER, circ INTEGER, printer TEXT,
  editor_id INTEGER REFERENCES journalist (journ_id)
);
CREATE TABLE journalist (
  journ_id INTEGER PRIMARY KEY, name TEXT NOT NULL, beat TEXT, email TEXT, dob DATE, start_dt DATE,
  paper_id INTEGER REFERENCES paper (paper_id), boss_id INTEGER REFERENCES journalist (journ_id)
);
CREATE TABLE bureau (
  bureau_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, country TEXT, opened_on DATE, staff_cnt INTEGER,
  paper_id INTEGER REFERENCES paper (paper_id), chief_id INTEGER REFERENCES journalist (journ_id)
);
CREATE TABLE article (
  art_id INTEGER PRIMARY KEY, headline TEXT NOT NULL, pub_date DATE, word_cnt INTEGER, section TEXT, page_no INTEGER,
  author_id INTEGER REFERENCES journalist (journ_id), photographer_id INTEGER REFERENCES journalist (journ_id),
  follows_art_id INTEGER REFERENCES article (art_id)
);
CREATE TABLE correction (
  corr_no INTEGER PRIMARY KEY, corr_date DATE, reason TEXT, art_id INTEGER REFERENCES article (art_id)
);
