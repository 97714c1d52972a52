CREATE TABLE museum (
  museum_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, street TEXT, opening_year INTEGER, director TEXT,
  annual_visitors INTEGER, website TEXT
);
CREATE TABLE artist (
  artist_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, death_date DATE, birthplace TEXT,
  nationality TEXT, teacher_id INTEGER REFERENCES artist (artist_id)
);
CREATE TABLE artwork (
  inventory_number TEXT PRIMARY KEY, title TEXT NOT NULL, creation_year INTEGER, medium TEXT, height_cm NUMERIC,
  width_cm NUMERIC, insured_value NUMERIC, acquired_on DATE, donor TEXT,
  artist_id INTEGER REFERENCES artist (artist_id), museum_id INTEGER REFERENCES museum (museum_id)
);
CREATE TABLE exhibition (
  exhibition_id INTEGER PRIMARY KEY, title TEXT NOT NULL, opening_date DATE, closing_date DATE,
  ticket_price NUMERIC, curator TEXT, museum_id INTEGER REFERENCES museum (museum_id)
);
