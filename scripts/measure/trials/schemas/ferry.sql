CREATE TABLE port (
  port_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, harbour_master TEXT, tel_no TEXT, berth_count INTEGER,
  max_draught_m NUMERIC
);
CREATE TABLE crew_member (
  crew_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, rank TEXT, dob DATE, hire_dt DATE, licence_no TEXT,
  nationality TEXT, mentor_id INTEGER REFERENCES crew_member (crew_id)
);
CREATE TABLE vessel (
  vessel_id INTEGER PRIMARY KEY, name TEXT NOT NULL, yr_built INTEGER, shipyard TEXT, length_m NUMERIC,
  pax_cap INTEGER, car_cap INTEGER, call_sign TEXT, flag TEXT, home_port_id INTEGER REFERENCES port (port_id),
  master_id INTEGER REFERENCES crew_member (crew_id)
);
CREATE TABLE route (
  route_id INTEGER PRIMARY KEY, name TEXT NOT NULL, dist_nm NUMERIC, crossing_min INTEGER, adult_fare NUMERIC,
  car_fare NUMERIC, dep_port_id INTEGER REFERENCES port (port_id), arr_port_id INTEGER REFERENCES port (port_id)
);
CREATE TABLE sailing (
  sailing_no TEXT PRIMARY KEY, sail_date DATE, dep_time TEXT, arr_time TEXT, lane TEXT, pax_booked INTEGER,
  route_id INTEGER REFERENCES route (route_id), vessel_id INTEGER REFERENCES vessel (vessel_id)
);
