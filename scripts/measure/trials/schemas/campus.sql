CREATE TABLE faculty (
  faculty_id INTEGER PRIMARY KEY, name TEXT NOT NULL, building TEXT, budget NUMERIC,
  dean_id INTEGER REFERENCES professor (professor_id)
);
CREATE TABLE professor (
  professor_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, office TEXT, phone TEXT,
  research_field TEXT, alma_mater TEXT, faculty_id INTEGER REFERENCES faculty (faculty_id)
);
CREATE TABLE course (
  course_code TEXT PRIMARY KEY, title TEXT NOT NULL, credits INTEGER, room TEXT, weekday TEXT, textbook TEXT,
  lecturer_id INTEGER REFERENCES professor (professor_id),
  prerequisite TEXT REFERENCES course (course_code)
);
CREATE TABLE student (
  student_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, enrolment_date DATE,
  hometown TEXT, major TEXT, scholarship NUMERIC, advisor_id INTEGER REFERENCES professor (professor_id)
);
CREATE TABLE thesis (
  thesis_id INTEGER PRIMARY KEY, title TEXT NOT NULL, grade TEXT, submission_date DATE, language TEXT,
  student_id INTEGER REFERENCES student (student_id), supervisor_id INTEGER REFERENCES professor (professor_id),
  examiner_id INTEGER REFERENCES professor (professor_id)
);
