CREATE TABLE author (
  author_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, death_date DATE, nationality TEXT,
  birthplace TEXT
);
CREATE TABLE publisher (
  publisher_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, founded_year INTEGER, founder TEXT
);
CREATE TABLE book (
  book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, isbn TEXT, page_count INTEGER, publication_year INTEGER,
  genre TEXT, language TEXT, shelf TEXT,
  author_id INTEGER REFERENCES author (author_id), publisher_id INTEGER REFERENCES publisher (publisher_id),
  translator_id INTEGER REFERENCES author (author_id)
);
CREATE TABLE branch (
  branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL, street TEXT, opening_time TEXT, closing_time TEXT,
  phone TEXT, librarian_id INTEGER REFERENCES member (member_id)
);
CREATE TABLE member (
  member_id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, joined_on DATE, occupation TEXT,
  branch_id INTEGER REFERENCES branch (branch_id)
);
CREATE TABLE loan (
  loan_number INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book (book_id),
  member_id INTEGER REFERENCES member (member_id), loan_date DATE, due_date DATE, return_date DATE, fine NUMERIC
);
