CREATE TABLE institute (
  inst_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, country TEXT, est_year INTEGER, director TEXT
);
CREATE TABLE collector (
  collector_id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, speciality TEXT, country TEXT,
  inst_id INTEGER REFERENCES institute (inst_id)
);
CREATE TABLE taxon (
  taxon_id INTEGER PRIMARY KEY, sci_name TEXT NOT NULL, common_name TEXT, family TEXT, iucn_status TEXT,
  flower_colour TEXT
);
CREATE TABLE vault (
  vault_id INTEGER PRIMARY KEY, name TEXT NOT NULL, temp_c NUMERIC, humidity_pct NUMERIC, built_year INTEGER,
  custodian TEXT
);
CREATE TABLE accession (
  acc_no TEXT PRIMARY KEY, coll_date DATE, locality TEXT, alt_m INTEGER, seed_qty INTEGER, germ_pct NUMERIC,
  last_test_date DATE, taxon_id INTEGER REFERENCES taxon (taxon_id),
  collector_id INTEGER REFERENCES collector (collector_id), vault_id INTEGER REFERENCES vault (vault_id),
  donor_inst_id INTEGER REFERENCES institute (inst_id), backup_inst_id INTEGER REFERENCES institute (inst_id)
);
