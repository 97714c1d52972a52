CREATE TABLE studio (
  studio_id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded_year INTEGER, headquarters TEXT, ceo TEXT
);
CREATE TABLE director (
  director_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, hometown TEXT, nationality TEXT,
  spouse TEXT
);
CREATE TABLE film (
  film_id INTEGER PRIMARY KEY, title TEXT NOT NULL, release_date DATE, length_minutes INTEGER, rating NUMERIC,
  budget NUMERIC, box_office NUMERIC, language TEXT, genre TEXT, rental_rate NUMERIC,
  director_id INTEGER REFERENCES director (director_id), studio_id INTEGER REFERENCES studio (studio_id),
  sequel_of INTEGER REFERENCES film (film_id)
);
CREATE TABLE actor (
  actor_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, height_cm INTEGER, birthplace TEXT,
  agent TEXT
);
CREATE TABLE film_role (
  film_id INTEGER NOT NULL REFERENCES film (film_id), actor_id INTEGER NOT NULL REFERENCES actor (actor_id),
  character_name TEXT, salary NUMERIC, PRIMARY KEY (film_id, actor_id)
);
CREATE TABLE store (
  store_id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT, city TEXT, phone TEXT, manager TEXT,
  opened_on DATE
);
