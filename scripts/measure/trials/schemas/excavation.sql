CREATE TABLE archaeologist (
  arch_id INTEGER PRIMARY KEY, name TEXT NOT NULL, univ TEXT, dob DATE, nationality TEXT, phone TEXT,
  adviser_id INTEGER REFERENCES archaeologist (arch_id)
);
CREATE TABLE site (
  site_id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT, period TEXT, disc_year INTEGER, landowner TEXT,
  director_id INTEGER REFERENCES archaeologist (arch_id)
);
CREATE TABLE trench (
  trench_no TEXT PRIMARY KEY, depth_cm INTEGER, length_m NUMERIC, opened_on DATE, closed_on DATE, soil_type TEXT,
  site_id INTEGER REFERENCES site (site_id), supervisor_id INTEGER REFERENCES archaeologist (arch_id)
);
CREATE TABLE repository (
  repo_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, curator TEXT, tel TEXT
);
CREATE TABLE find (
  find_no TEXT PRIMARY KEY, obj_type TEXT, material TEXT, weight_g NUMERIC, found_on DATE,
  trench_no TEXT REFERENCES trench (trench_no), finder_id INTEGER REFERENCES archaeologist (arch_id),
  repo_id INTEGER REFERENCES repository (repo_id)
);
CREATE TABLE lab_test (
  test_id INTEGER PRIMARY KEY, lab TEXT, method TEXT, result TEXT, sample_date DATE, cost NUMERIC,
  find_no TEXT REFERENCES find (find_no)
);
