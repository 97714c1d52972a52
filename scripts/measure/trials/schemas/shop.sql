CREATE TABLE category (category_id INTEGER PRIMARY KEY, name TEXT NOT NULL, description TEXT);
CREATE TABLE supplier (
  supplier_id INTEGER PRIMARY KEY, company_name TEXT NOT NULL, contact_name TEXT, phone TEXT, country TEXT
);
CREATE TABLE product (
  product_id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit_price NUMERIC, weight_kg NUMERIC, colour TEXT,
  units_in_stock INTEGER, launched_on DATE, discontinued_on DATE,
  category_id INTEGER REFERENCES category (category_id), supplier_id INTEGER REFERENCES supplier (supplier_id)
);
CREATE TABLE customer (
  customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, phone TEXT, city TEXT, country TEXT,
  birth_date DATE, referred_by INTEGER REFERENCES customer (customer_id)
);
CREATE TABLE employee (
  employee_id INTEGER PRIMARY KEY, name TEXT NOT NULL, job_title TEXT, hire_date DATE, city TEXT,
  manager_id INTEGER REFERENCES employee (employee_id)
);
CREATE TABLE "order" (
  order_number INTEGER PRIMARY KEY, order_date DATE, shipped_date DATE, freight NUMERIC, payment_method TEXT,
  ship_city TEXT, customer_id INTEGER REFERENCES customer (customer_id),
  employee_id INTEGER REFERENCES employee (employee_id)
);
