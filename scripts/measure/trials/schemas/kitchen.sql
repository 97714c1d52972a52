CREATE TABLE restaurant (
  restaurant_id INTEGER PRIMARY KEY, name TEXT NOT NULL, street TEXT, city TEXT, phone TEXT, star_count INTEGER,
  opened_on DATE, owner TEXT, head_chef_id INTEGER REFERENCES chef (chef_id)
);
CREATE TABLE chef (
  chef_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, birth_date DATE, hometown TEXT,
  signature_dish TEXT, mentor_id INTEGER REFERENCES chef (chef_id)
);
CREATE TABLE cookbook (
  isbn TEXT PRIMARY KEY, title TEXT NOT NULL, publisher TEXT, publication_year INTEGER, photographer TEXT,
  price NUMERIC, chef_id INTEGER REFERENCES chef (chef_id)
);
CREATE TABLE recipe (
  recipe_id INTEGER PRIMARY KEY, name TEXT NOT NULL, servings INTEGER, preparation_minutes INTEGER,
  baking_minutes INTEGER, oven_temperature_c INTEGER, calories INTEGER, cuisine TEXT, page_number INTEGER,
  cookbook_isbn TEXT REFERENCES cookbook (isbn)
);
CREATE TABLE ingredient (
  ingredient_id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit_price NUMERIC, allergen TEXT, shelf_life_days INTEGER
);
CREATE TABLE recipe_ingredient (
  recipe_id INTEGER NOT NULL REFERENCES recipe (recipe_id),
  ingredient_id INTEGER NOT NULL REFERENCES ingredient (ingredient_id), amount TEXT,
  PRIMARY KEY (recipe_id, ingredient_id)
);
