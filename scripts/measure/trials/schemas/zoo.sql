CREATE TABLE enclosure (
  enclosure_id INTEGER PRIMARY KEY, name TEXT NOT NULL, area_m2 NUMERIC, built_year INTEGER, sponsor TEXT
);
CREATE TABLE keeper (
  keeper_id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone TEXT, hire_date DATE, hometown TEXT,
  supervisor_id INTEGER REFERENCES keeper (keeper_id)
);
CREATE TABLE species (
  species_id INTEGER PRIMARY KEY, common_name TEXT NOT NULL, latin_name TEXT, continent TEXT, habitat TEXT,
  diet TEXT, lifespan_years INTEGER, conservation_status TEXT
);
CREATE TABLE animal (
  animal_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, arrival_date DATE, weight_kg NUMERIC, sex TEXT,
  favourite_food TEXT, species_id INTEGER REFERENCES species (species_id),
  enclosure_id INTEGER REFERENCES enclosure (enclosure_id), keeper_id INTEGER REFERENCES keeper (keeper_id),
  mother_id INTEGER REFERENCES animal (animal_id), father_id INTEGER REFERENCES animal (animal_id)
);
