CREATE TABLE airport (
  iata_code TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT, country TEXT, runway_count INTEGER,
  elevation_m INTEGER, opening_year INTEGER
);
CREATE TABLE airline (
  airline_id INTEGER PRIMARY KEY, name TEXT NOT NULL, alliance TEXT, founded_year INTEGER, ceo TEXT, country TEXT,
  hub_airport TEXT REFERENCES airport (iata_code)
);
CREATE TABLE aircraft (
  registration TEXT PRIMARY KEY, model TEXT, manufacturer TEXT, seats INTEGER, range_km INTEGER,
  first_flight_date DATE, is_leased BOOLEAN, airline_id INTEGER REFERENCES airline (airline_id)
);
CREATE TABLE pilot (
  pilot_id INTEGER PRIMARY KEY, name TEXT NOT NULL, flight_hours INTEGER, licence_number TEXT, hometown TEXT,
  airline_id INTEGER REFERENCES airline (airline_id)
);
CREATE TABLE flight (
  flight_number TEXT PRIMARY KEY, departure_time TEXT, arrival_time TEXT, duration_minutes INTEGER, gate TEXT,
  meal TEXT, origin TEXT REFERENCES airport (iata_code), destination TEXT REFERENCES airport (iata_code),
  aircraft_registration TEXT REFERENCES aircraft (registration), captain_id INTEGER REFERENCES pilot (pilot_id)
);
