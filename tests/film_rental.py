"""A film rental as a well-known sample schema has it, `last_update` in every table; the rows are made up, by seed."""

import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from made_names import CITIES, Maker, words

Add = Callable[[str, list[tuple[object, ...]]], None]
_SCHEMA = """
CREATE TABLE actor (actor_id INTEGER NOT NULL PRIMARY KEY, first_name VARCHAR(45) NOT NULL, last_name VARCHAR(45) NOT NULL,
  last_update TIMESTAMP NOT NULL);
CREATE TABLE category (category_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(25) NOT NULL, last_update TIMESTAMP NOT NULL);
CREATE TABLE language (language_id INTEGER NOT NULL PRIMARY KEY, name CHAR(20) NOT NULL, last_update TIMESTAMP NOT NULL);
CREATE TABLE country (country_id INTEGER NOT NULL PRIMARY KEY, country VARCHAR(50) NOT NULL, last_update TIMESTAMP NOT NULL);
CREATE TABLE city (city_id INTEGER NOT NULL PRIMARY KEY, city VARCHAR(50) NOT NULL,
  country_id INTEGER NOT NULL REFERENCES country (country_id), last_update TIMESTAMP NOT NULL);
CREATE TABLE address (address_id INTEGER NOT NULL PRIMARY KEY, address VARCHAR(50) NOT NULL, address2 VARCHAR(50),
  district VARCHAR(20) NOT NULL, city_id INTEGER NOT NULL REFERENCES city (city_id), postal_code VARCHAR(10),
  phone VARCHAR(20) NOT NULL, last_update TIMESTAMP NOT NULL);
CREATE TABLE store (store_id INTEGER NOT NULL PRIMARY KEY, manager_staff_id INTEGER NOT NULL REFERENCES staff (staff_id),
  address_id INTEGER NOT NULL REFERENCES address (address_id), last_update TIMESTAMP NOT NULL);
CREATE TABLE staff (staff_id INTEGER NOT NULL PRIMARY KEY, first_name VARCHAR(45) NOT NULL, last_name VARCHAR(45) NOT NULL,
  address_id INTEGER NOT NULL REFERENCES address (address_id), picture BLOB, email VARCHAR(50),
  store_id INTEGER NOT NULL REFERENCES store (store_id), active SMALLINT DEFAULT 1 NOT NULL, username VARCHAR(16) NOT NULL,
  password VARCHAR(40), last_update TIMESTAMP NOT NULL);
CREATE TABLE customer (customer_id INTEGER NOT NULL PRIMARY KEY, store_id INTEGER NOT NULL REFERENCES store (store_id),
  first_name VARCHAR(45) NOT NULL, last_name VARCHAR(45) NOT NULL, email VARCHAR(50),
  address_id INTEGER NOT NULL REFERENCES address (address_id), active CHAR(1) DEFAULT 'Y' NOT NULL,
  create_date TIMESTAMP NOT NULL, last_update TIMESTAMP NOT NULL);
CREATE TABLE film (film_id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(255) NOT NULL, description TEXT, release_year VARCHAR(4),
  language_id INTEGER NOT NULL REFERENCES language (language_id),
  original_language_id INTEGER REFERENCES language (language_id), rental_duration SMALLINT DEFAULT 3 NOT NULL,
  rental_rate DECIMAL(4, 2) DEFAULT 4.99 NOT NULL, length SMALLINT, replacement_cost DECIMAL(5, 2) DEFAULT 19.99 NOT NULL,
  rating VARCHAR(10) DEFAULT 'G', special_features VARCHAR(100), last_update TIMESTAMP NOT NULL);
CREATE TABLE film_actor (actor_id INTEGER NOT NULL REFERENCES actor (actor_id), film_id INTEGER NOT NULL REFERENCES film (film_id),
  last_update TIMESTAMP NOT NULL, PRIMARY KEY (actor_id, film_id));
CREATE TABLE film_category (film_id INTEGER NOT NULL REFERENCES film (film_id),
  category_id INTEGER NOT NULL REFERENCES category (category_id), last_update TIMESTAMP NOT NULL,
  PRIMARY KEY (film_id, category_id));
CREATE TABLE inventory (inventory_id INTEGER NOT NULL PRIMARY KEY, film_id INTEGER NOT NULL REFERENCES film (film_id),
  store_id INTEGER NOT NULL REFERENCES store (store_id), last_update TIMESTAMP NOT NULL);
CREATE TABLE rental (rental_id INTEGER NOT NULL PRIMARY KEY, rental_date TIMESTAMP NOT NULL,
  inventory_id INTEGER NOT NULL REFERENCES inventory (inventory_id),
  customer_id INTEGER NOT NULL REFERENCES customer (customer_id), return_date TIMESTAMP,
  staff_id INTEGER NOT NULL REFERENCES staff (staff_id), last_update TIMESTAMP NOT NULL);
CREATE TABLE payment (payment_id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
  staff_id INTEGER NOT NULL REFERENCES staff (staff_id), rental_id INTEGER REFERENCES rental (rental_id),
  amount DECIMAL(5, 2) NOT NULL, payment_date TIMESTAMP NOT NULL, last_update TIMESTAMP NOT NULL);
"""
_CATEGORIES = words("Action Animation Children Classics Comedy Documentary Drama Family Horror Music Sports Travel")
_LANGUAGES = words("English Italian Japanese Mandarin French German")
_RATINGS = ("G", "PG", "PG-13", "R", "NC-17")
_FEATURES = ("Trailers", "Commentaries", "Deleted Scenes", "Behind the Scenes")
_HEROES = words("baker cellist diver farmer forester judge gardener midwife pilot surveyor teacher tailor")
_PLOTS = ("outwit", "befriend", "chase", "rescue", "cook for", "write to", "lose sight of", "marry")
UPDATED = "2022-02-15 09:57:20"
_FILMS, _ADDRESSES, _CUSTOMERS = 300, 160, 140


def make_film_rental(path: Path, seed: int = 1) -> Path:
    """The rental as a SQLite file: 300 films, 80 actors, 140 customers, 2 stores, 900 rentals."""
    maker = Maker(seed)
    connection = sqlite3.connect(path)
    connection.executescript(_SCHEMA)

    def add(table: str, rows: list[tuple[object, ...]]) -> None:
        marks = ", ".join("?" * (len(rows[0]) + 1))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", [(*row, UPDATED) for row in rows])

    actors = [maker.person("actor") for _ in range(79)]
    add("actor", [(number, *name) for number, name in enumerate([*actors, actors[40]], 1)])
    add("category", list(enumerate(_CATEGORIES, 1)))
    add("language", list(enumerate(_LANGUAGES, 1)))
    _add_places(add, maker)
    add("store", [(1, 1, 1), (2, 2, 2)])
    staff = [maker.person("staff") for _ in range(6)]
    add("staff", [
        (number, *name, number + 2, None, _email(name), (number - 1) % 2 + 1, int(number != 5), name[0].lower(), None)
        for number, name in enumerate(staff, 1)
    ])  # fmt: skip
    customers = [maker.person("customer") for _ in range(_CUSTOMERS)]
    add("customer", [
        (number, maker.below(2) + 1, *name, _email(name), number + 10, "N" if maker.chance(0.15) else "Y",
         str(maker.day(2018, 2019)))
        for number, name in enumerate(customers, 1)
    ])  # fmt: skip
    films = [_film(maker, number) for number in range(1, _FILMS + 1)]
    add("film", films)
    cast = [(actor, film) for film in range(1, _FILMS + 1) for actor in maker.some(range(1, 81), maker.below(5) + 2)]
    add("film_actor", list(cast))
    add("film_category", [(film, maker.below(len(_CATEGORIES)) + 1) for film in range(1, _FILMS + 1)])
    copies = [(film, maker.below(2) + 1) for film in range(1, _FILMS + 1) for _ in range(maker.below(3) + 1)]
    add("inventory", [(number, *copy) for number, copy in enumerate(copies, 1)])
    _add_rentals(add, maker, films, copies)
    connection.commit()
    connection.close()
    return path


def _email(name: tuple[str, str]) -> str:
    return f"{'.'.join(name).lower()}@filmrental.example"


def _add_places(add: Add, maker: Maker) -> None:
    add("country", list(enumerate(CITIES, 1)))
    cities = [(city, number) for number, those in enumerate(CITIES.values(), 1) for city in those]
    add("city", [(number, *city) for number, city in enumerate(cities, 1)])
    add("address", [
        (number, maker.place().address, None if number % 40 else "", f"{maker.one(cities)[0]} County",
         maker.below(len(cities)) + 1, str(maker.below(90_000) + 10_000), maker.phone())
        for number in range(1, _ADDRESSES + 1)
    ])  # fmt: skip


def _film(maker: Maker, number: int) -> tuple[object, ...]:
    """A film with a description of a sentence, and nearly never an original language."""
    heroes = maker.some(_HEROES, 2)
    story = (
        f"A {maker.one(('quiet', 'proud', 'reckless', 'patient'))} {heroes[0]} must {maker.one(_PLOTS)} a {heroes[1]}"
    )
    setting = f"in {maker.one([city for those in CITIES.values() for city in those])}"
    features = ",".join(maker.some(_FEATURES, maker.below(3) + 1))
    return (
        number, maker.new("film"), f"{story} {setting} before the winter comes, and nobody believes a word of it.",
        str(1980 + maker.below(43)), 1 if maker.chance(0.6) else maker.below(6) + 1,
        maker.below(6) + 1 if maker.chance(0.02) else None, maker.below(5) + 3, maker.one((0.99, 2.99, 4.99)),
        maker.below(120) + 60, round(maker.below(20) + 9.99, 2), maker.one(_RATINGS), features,
    )  # fmt: skip


def _add_rentals(add: Add, maker: Maker, films: list[tuple[object, ...]], copies: list[tuple[int, int]]) -> None:
    rentals: list[tuple[object, ...]] = []
    payments: list[tuple[object, ...]] = []
    for number in range(1, 901):
        rented: datetime = maker.moment(2022, 2022)
        returned = None if maker.chance(0.05) else str(rented + timedelta(hours=maker.below(200) + 20))
        copy, customer, staff = maker.below(len(copies)), maker.below(_CUSTOMERS) + 1, maker.below(6) + 1
        rentals.append((number, str(rented), copy + 1, customer, returned, staff))
        rate = films[copies[copy][0] - 1][7]
        payments.append((number, customer, staff, number, rate, str(rented + timedelta(minutes=maker.below(30)))))
    add("rental", rentals)
    add("payment", payments)
