CREATE TABLE mountain_range (
  range_id INTEGER PRIMARY KEY, name TEXT NOT NULL, continent TEXT, length_km INTEGER, rock_type TEXT
);
CREATE TABLE climber (
  climber_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, nationality TEXT, birthplace TEXT,
  occupation TEXT
);
CREATE TABLE mountain (
  mountain_id INTEGER PRIMARY KEY, name TEXT NOT NULL, local_name TEXT, height_m INTEGER, first_ascent_date DATE,
  country TEXT, range_id INTEGER REFERENCES mountain_range (range_id),
  first_climber_id INTEGER REFERENCES climber (climber_id)
);
CREATE TABLE hut (
  hut_id INTEGER PRIMARY KEY, name TEXT NOT NULL, altitude_m INTEGER, beds INTEGER, warden TEXT, phone TEXT,
  built_year INTEGER, mountain_id INTEGER REFERENCES mountain (mountain_id)
);
CREATE TABLE river (
  river_id INTEGER PRIMARY KEY, name TEXT NOT NULL, length_km INTEGER, mouth TEXT, source_altitude_m INTEGER,
  source_mountain_id INTEGER REFERENCES mountain (mountain_id), flows_into INTEGER REFERENCES river (river_id)
);
