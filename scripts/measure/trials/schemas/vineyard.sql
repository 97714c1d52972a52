CREATE TABLE grape (
  grape_id INTEGER PRIMARY KEY, name TEXT NOT NULL, skin_colour TEXT, origin_country TEXT, ripening_month TEXT
);
CREATE TABLE winemaker (
  wm_id INTEGER PRIMARY KEY, name TEXT NOT NULL, dob DATE, hometown TEXT, oenology_school TEXT, hired_on DATE,
  mentor_id INTEGER REFERENCES winemaker (wm_id)
);
CREATE TABLE estate (
  estate_id INTEGER PRIMARY KEY, name TEXT NOT NULL, village TEXT, owner TEXT, founded_year INTEGER, tel TEXT,
  cellar_master_id INTEGER REFERENCES winemaker (wm_id)
);
CREATE TABLE parcel (
  parcel_id INTEGER PRIMARY KEY, name TEXT NOT NULL, area_ha NUMERIC, soil TEXT, slope_pct NUMERIC,
  planted_yr INTEGER, estate_id INTEGER REFERENCES estate (estate_id), grape_id INTEGER REFERENCES grape (grape_id)
);
CREATE TABLE wine (
  wine_id INTEGER PRIMARY KEY, label TEXT NOT NULL, vintage INTEGER, abv_pct NUMERIC, price_eur NUMERIC,
  bottles_made INTEGER, closure TEXT, bottled_on DATE, parcel_id INTEGER REFERENCES parcel (parcel_id),
  winemaker_id INTEGER REFERENCES winemaker (wm_id)
);
CREATE TABLE tasting (
  tasting_no INTEGER PRIMARY KEY, tasting_date DATE, venue TEXT, taster TEXT, score NUMERIC,
  wine_id INTEGER REFERENCES wine (wine_id)
);
