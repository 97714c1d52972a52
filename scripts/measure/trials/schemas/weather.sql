CREATE TABLE region (
  region_id INTEGER PRIMARY KEY, name TEXT NOT NULL, capital TEXT, area_km2 NUMERIC, population INTEGER,
  climate TEXT
);
CREATE TABLE operator (
  operator_id INTEGER PRIMARY KEY, name TEXT NOT NULL, headquarters TEXT, website TEXT, founded_year INTEGER
);
CREATE TABLE station (
  station_id INTEGER PRIMARY KEY, name TEXT NOT NULL, elevation_m INTEGER, latitude NUMERIC, longitude NUMERIC,
  installed_on DATE, last_inspection DATE, annual_rainfall_mm NUMERIC, keeper TEXT,
  region_id INTEGER REFERENCES region (region_id), operator_id INTEGER REFERENCES operator (operator_id),
  backup_station_id INTEGER REFERENCES station (station_id)
);
CREATE TABLE sensor (
  serial_number TEXT PRIMARY KEY, type TEXT, manufacturer TEXT, accuracy TEXT, calibrated_on DATE,
  station_id INTEGER REFERENCES station (station_id)
);
CREATE TABLE storm (
  storm_id INTEGER PRIMARY KEY, name TEXT NOT NULL, start_date DATE, end_date DATE, top_wind_speed_kmh INTEGER,
  damage_cost NUMERIC, deaths INTEGER, first_station_id INTEGER REFERENCES station (station_id)
);
