CREATE TABLE stadium (
  stadium_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, capacity INTEGER, opening_year INTEGER,
  architect TEXT
);
CREATE TABLE coach (
  coach_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, nationality TEXT, licence TEXT
);
CREATE TABLE club (
  club_id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded_year INTEGER, city TEXT, nickname TEXT, colours TEXT,
  owner TEXT, stadium_id INTEGER REFERENCES stadium (stadium_id), coach_id INTEGER REFERENCES coach (coach_id)
);
CREATE TABLE player (
  player_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, height_cm INTEGER, position TEXT,
  shirt_number INTEGER, market_value NUMERIC, nationality TEXT, birthplace TEXT,
  club_id INTEGER REFERENCES club (club_id), youth_club_id INTEGER REFERENCES club (club_id)
);
CREATE TABLE referee (referee_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, debut_year INTEGER);
CREATE TABLE football_match (
  match_number INTEGER PRIMARY KEY, match_date DATE, attendance INTEGER, home_goals INTEGER, away_goals INTEGER,
  home_club_id INTEGER REFERENCES club (club_id), away_club_id INTEGER REFERENCES club (club_id),
  referee_id INTEGER REFERENCES referee (referee_id)
);
