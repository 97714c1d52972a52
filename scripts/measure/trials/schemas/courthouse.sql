CREATE TABLE judge (
  judge_id INTEGER PRIMARY KEY, name TEXT NOT NULL, dob DATE, appt_date DATE, law_school TEXT, chambers_room TEXT,
  predecessor_id INTEGER REFERENCES judge (judge_id)
);
CREATE TABLE court (
  court_id INTEGER PRIMARY KEY, name TEXT NOT NULL, addr TEXT, city TEXT, tel TEXT, est_year INTEGER,
  pres_judge_id INTEGER REFERENCES judge (judge_id)
);
CREATE TABLE law_firm (
  firm_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, founded_year INTEGER, managing_partner TEXT, tel TEXT
);
CREATE TABLE lawyer (
  lawyer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, bar_admission_date DATE, law_school TEXT,
  hourly_rate NUMERIC, firm_id INTEGER REFERENCES law_firm (firm_id)
);
CREATE TABLE court_case (
  docket_no TEXT PRIMARY KEY, title TEXT NOT NULL, filed_on DATE, closed_on DATE, claim_amt NUMERIC, verdict TEXT,
  court_id INTEGER REFERENCES court (court_id), judge_id INTEGER REFERENCES judge (judge_id),
  pltf_lawyer_id INTEGER REFERENCES lawyer (lawyer_id), def_lawyer_id INTEGER REFERENCES lawyer (lawyer_id)
);
CREATE TABLE hearing (
  hearing_no INTEGER PRIMARY KEY, hearing_date DATE, start_time TEXT, courtroom TEXT, clerk TEXT,
  docket_no TEXT REFERENCES court_case (docket_no)
);
