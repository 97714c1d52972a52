CREATE TABLE rail_station (
  station_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, platform_count INTEGER, opening_year INTEGER,
  architect TEXT, station_master TEXT
);
CREATE TABLE rail_line (
  line_id INTEGER PRIMARY KEY, name TEXT NOT NULL, length_km NUMERIC, opening_year INTEGER, gauge_mm INTEGER,
  map_colour TEXT, start_station_id INTEGER REFERENCES rail_station (station_id),
  end_station_id INTEGER REFERENCES rail_station (station_id)
);
CREATE TABLE depot (
  depot_id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT, phone TEXT, track_count INTEGER
);
CREATE TABLE driver (
  driver_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, hire_date DATE, licence_number TEXT,
  home_depot_id INTEGER REFERENCES depot (depot_id), trainer_id INTEGER REFERENCES driver (driver_id)
);
CREATE TABLE train (
  train_number TEXT PRIMARY KEY, departure_time TEXT, arrival_time TEXT, platform TEXT, coach_count INTEGER,
  line_id INTEGER REFERENCES rail_line (line_id), driver_id INTEGER REFERENCES driver (driver_id)
);
