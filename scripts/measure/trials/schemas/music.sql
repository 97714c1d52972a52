CREATE TABLE label (
  label_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, founder TEXT, founded_year INTEGER
);
CREATE TABLE band (
  band_id INTEGER PRIMARY KEY, name TEXT NOT NULL, hometown TEXT, formed_year INTEGER, split_year INTEGER,
  manager TEXT, label_id INTEGER REFERENCES label (label_id)
);
CREATE TABLE musician (
  musician_id INTEGER PRIMARY KEY, stage_name TEXT NOT NULL, real_name TEXT, birth_date DATE, instrument TEXT,
  nationality TEXT, band_id INTEGER REFERENCES band (band_id)
);
CREATE TABLE album (
  album_id INTEGER PRIMARY KEY, title TEXT NOT NULL, release_date DATE, producer TEXT, studio TEXT,
  copies_sold INTEGER, cover_artist TEXT, band_id INTEGER REFERENCES band (band_id)
);
CREATE TABLE song (
  song_id INTEGER PRIMARY KEY, title TEXT NOT NULL, duration_seconds INTEGER, tempo_bpm INTEGER, musical_key TEXT,
  track_number INTEGER, album_id INTEGER REFERENCES album (album_id),
  composer_id INTEGER REFERENCES musician (musician_id), lyricist_id INTEGER REFERENCES musician (musician_id)
);
CREATE TABLE concert (
  concert_id INTEGER PRIMARY KEY, concert_date DATE, venue TEXT, ticket_price NUMERIC, audience INTEGER,
  headliner_id INTEGER REFERENCES band (band_id), support_id INTEGER REFERENCES band (band_id)
);
