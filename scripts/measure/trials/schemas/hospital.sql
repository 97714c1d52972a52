CREATE TABLE department (
  department_id INTEGER PRIMARY KEY, name TEXT NOT NULL, floor INTEGER, phone TEXT,
  head_id INTEGER REFERENCES doctor (doctor_id)
);
CREATE TABLE doctor (
  doctor_id INTEGER PRIMARY KEY, name TEXT NOT NULL, specialty TEXT, university TEXT, salary NUMERIC,
  hire_date DATE, department_id INTEGER REFERENCES department (department_id)
);
CREATE TABLE patient (
  patient_id INTEGER PRIMARY KEY, name TEXT NOT NULL, birth_date DATE, blood_type TEXT, height_cm INTEGER,
  weight_kg NUMERIC, occupation TEXT, hometown TEXT, insurer TEXT,
  family_doctor_id INTEGER REFERENCES doctor (doctor_id)
);
CREATE TABLE drug (
  drug_id INTEGER PRIMARY KEY, name TEXT NOT NULL, manufacturer TEXT, dosage TEXT, price NUMERIC,
  approved_on DATE, side_effect TEXT
);
CREATE TABLE admission (
  admission_number INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patient (patient_id),
  admitting_doctor_id INTEGER REFERENCES doctor (doctor_id), room TEXT, diagnosis TEXT, admission_date DATE,
  discharge_date DATE
);
