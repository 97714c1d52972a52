CREATE TABLE hall (
  hall_id INTEGER PRIMARY KEY, name TEXT NOT NULL, addr TEXT, city TEXT, seat_cnt INTEGER, opened_year INTEGER,
  architect TEXT, box_office_tel TEXT
);
CREATE TABLE conductor (
  conductor_id INTEGER PRIMARY KEY, name TEXT NOT NULL, dob DATE, birthplace TEXT, nationality TEXT,
  debut_year INTEGER, agency TEXT, teacher_id INTEGER REFERENCES conductor (conductor_id)
);
CREATE TABLE composer (
  composer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, death_date DATE, birthplace TEXT,
  nationality TEXT
);
CREATE TABLE work (
  work_id INTEGER PRIMARY KEY, title TEXT NOT NULL, opus_no TEXT, mus_key TEXT, dur_min INTEGER, comp_year INTEGER,
  premiere_date DATE, dedicatee TEXT, composer_id INTEGER REFERENCES composer (composer_id),
  premiere_hall_id INTEGER REFERENCES hall (hall_id)
);
CREATE TABLE player (
  player_id INTEGER PRIMARY KEY, fname TEXT NOT NULL, lname TEXT NOT NULL, instr TEXT, section TEXT, joined_on DATE,
  conservatory TEXT, desk_partner_id INTEGER REFERENCES player (player_id)
);
CREATE TABLE concert (
  concert_no INTEGER PRIMARY KEY, conc_date DATE, start_time TEXT, ticket_price NUMERIC, attendance INTEGER,
  dress_code TEXT, hall_id INTEGER REFERENCES hall (hall_id),
  conductor_id INTEGER REFERENCES conductor (conductor_id), soloist_id INTEGER REFERENCES player (player_id)
);
