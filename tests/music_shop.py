"""A music shop as a well-known sample schema has it, CamelCase names and all; the rows are made up, by seed."""

import sqlite3
from pathlib import Path

from made_names import Maker, words

_SCHEMA = """
CREATE TABLE "Artist" ("ArtistId" INTEGER NOT NULL PRIMARY KEY, "Name" NVARCHAR(120));
CREATE TABLE "Genre" ("GenreId" INTEGER NOT NULL PRIMARY KEY, "Name" NVARCHAR(120));
CREATE TABLE "MediaType" ("MediaTypeId" INTEGER NOT NULL PRIMARY KEY, "Name" NVARCHAR(120));
CREATE TABLE "Playlist" ("PlaylistId" INTEGER NOT NULL PRIMARY KEY, "Name" NVARCHAR(120));
CREATE TABLE "Album" ("AlbumId" INTEGER NOT NULL PRIMARY KEY, "Title" NVARCHAR(160) NOT NULL,
  "ArtistId" INTEGER NOT NULL REFERENCES "Artist" ("ArtistId"));
CREATE TABLE "Track" ("TrackId" INTEGER NOT NULL PRIMARY KEY, "Name" NVARCHAR(200) NOT NULL,
  "AlbumId" INTEGER REFERENCES "Album" ("AlbumId"),
  "MediaTypeId" INTEGER NOT NULL REFERENCES "MediaType" ("MediaTypeId"), "GenreId" INTEGER REFERENCES "Genre" ("GenreId"),
  "Composer" NVARCHAR(220), "Milliseconds" INTEGER NOT NULL, "Bytes" INTEGER, "UnitPrice" NUMERIC(10, 2) NOT NULL);
CREATE TABLE "PlaylistTrack" ("PlaylistId" INTEGER NOT NULL REFERENCES "Playlist" ("PlaylistId"),
  "TrackId" INTEGER NOT NULL REFERENCES "Track" ("TrackId"), PRIMARY KEY ("PlaylistId", "TrackId"));
CREATE TABLE "Employee" ("EmployeeId" INTEGER NOT NULL PRIMARY KEY, "LastName" NVARCHAR(20) NOT NULL,
  "FirstName" NVARCHAR(20) NOT NULL, "Title" NVARCHAR(30), "ReportsTo" INTEGER REFERENCES "Employee" ("EmployeeId"),
  "BirthDate" DATETIME, "HireDate" DATETIME, "Address" NVARCHAR(70), "City" NVARCHAR(40), "State" NVARCHAR(40),
  "Country" NVARCHAR(40), "PostalCode" NVARCHAR(10), "Phone" NVARCHAR(24), "Fax" NVARCHAR(24), "Email" NVARCHAR(60));
CREATE TABLE "Customer" ("CustomerId" INTEGER NOT NULL PRIMARY KEY, "FirstName" NVARCHAR(40) NOT NULL,
  "LastName" NVARCHAR(20) NOT NULL, "Company" NVARCHAR(80), "Address" NVARCHAR(70), "City" NVARCHAR(40),
  "State" NVARCHAR(40), "Country" NVARCHAR(40), "PostalCode" NVARCHAR(10), "Phone" NVARCHAR(24), "Fax" NVARCHAR(24),
  "Email" NVARCHAR(60) NOT NULL, "SupportRepId" INTEGER REFERENCES "Employee" ("EmployeeId"));
CREATE TABLE "Invoice" ("InvoiceId" INTEGER NOT NULL PRIMARY KEY,
  "CustomerId" INTEGER NOT NULL REFERENCES "Customer" ("CustomerId"), "InvoiceDate" DATETIME NOT NULL,
  "BillingAddress" NVARCHAR(70), "BillingCity" NVARCHAR(40), "BillingState" NVARCHAR(40), "BillingCountry" NVARCHAR(40),
  "BillingPostalCode" NVARCHAR(10), "Total" NUMERIC(10, 2) NOT NULL);
CREATE TABLE "InvoiceLine" ("InvoiceLineId" INTEGER NOT NULL PRIMARY KEY,
  "InvoiceId" INTEGER NOT NULL REFERENCES "Invoice" ("InvoiceId"), "TrackId" INTEGER NOT NULL REFERENCES "Track" ("TrackId"),
  "UnitPrice" NUMERIC(10, 2) NOT NULL, "Quantity" INTEGER NOT NULL);
"""
_GENRES = words("Rock Jazz Metal Blues Classical Reggae Pop Soundtrack Latin Folk Opera Electronica")
_MEDIA = ("MPEG audio file", "AAC audio file", "Protected AAC audio file", "Lossless audio file", "Video file")
_PLAYLISTS = ("Music", "Movies", "Nineties", "Long Drives", "Sunday Morning", "Dinner", "Running", "Heavy Classics",
              "Slow Dances", "Guitars", "Piano Evening", "Brass", "On the Road", "Small Hours")  # fmt: skip
_TITLES = ("General Manager", "Sales Manager", "Sales Support Agent", "Sales Support Agent", "Sales Support Agent",
           "IT Manager", "IT Staff", "IT Staff")  # fmt: skip
_MANAGERS = (None, 1, 2, 2, 2, 1, 6, 6)
_SUPPORT = (3, 4, 5)
_BANDS = words("Quartet Ensemble Orchestra Trio Brothers Sisters Collective Band Project Choir")


def make_music_shop(path: Path, seed: int = 1) -> Path:
    """The shop as a SQLite file: 90 artists, 160 albums, about 1,300 tracks, 59 customers, 240 invoices."""
    maker = Maker(seed)
    connection = sqlite3.connect(path)
    connection.executescript(_SCHEMA)

    def add(table: str, rows: list[tuple[object, ...]]) -> None:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)

    add("Genre", list(enumerate(_GENRES, 1)))
    add("MediaType", list(enumerate(_MEDIA, 1)))
    add("Playlist", list(enumerate(_PLAYLISTS, 1)))
    artists = [_artist(maker) for _ in range(90)]
    add("Artist", list(enumerate(artists, 1)))
    albums = [(number, maker.new("album"), maker.below(90) + 1) for number in range(1, 161)]
    add("Album", list(albums))
    tracks = _tracks(maker, [artists[artist - 1] for _, _, artist in albums])
    add("Track", tracks)
    add("PlaylistTrack", [
        (number, track + 1)
        for number in range(1, len(_PLAYLISTS) + 1)
        for track in maker.some(range(len(tracks)), maker.below(60) + 5)
    ])  # fmt: skip
    add("Employee", [_employee(maker, number) for number in range(1, 9)])
    customers = [_customer(maker, number) for number in range(1, 60)]
    add("Customer", customers)
    invoices, lines = _invoices(maker, customers, tracks)
    add("Invoice", invoices)
    add("InvoiceLine", lines)
    connection.commit()
    connection.close()
    return path


def _artist(maker: Maker) -> str:
    if maker.chance(0.4):
        return " ".join(maker.person("artist"))
    return maker.new("artist", [f"The {maker.title().split()[-1]} {band}" for band in _BANDS])


def _tracks(maker: Maker, artists: list[str]) -> list[tuple[object, ...]]:
    """Of each album some; a few are called as another one, and a third have no composer."""
    rows: list[tuple[object, ...]] = []
    for album, artist in enumerate(artists, 1):
        media = 1 if maker.chance(0.8) else maker.below(len(_MEDIA)) + 1
        genre = maker.below(len(_GENRES)) + 1
        for _ in range(maker.below(9) + 4):
            name = maker.title() if maker.chance(0.02) else maker.new("track")
            composer = None if maker.chance(0.3) else artist if maker.chance(0.5) else _composers(maker)
            length = 120_000 + maker.below(300_000)
            price = 1.99 if media == 5 else 0.99
            rows.append((len(rows) + 1, name, album, media, genre, composer, length, length * 33, price))
    return rows


def _composers(maker: Maker) -> str:
    return ", ".join(" ".join(maker.person("composer")) for _ in range(maker.below(2) + 1))


def _employee(maker: Maker, number: int) -> tuple[object, ...]:
    first, last = maker.person("employee")
    place = maker.place()
    return (
        number, last, first, _TITLES[number - 1], _MANAGERS[number - 1], str(maker.day(1950, 1985)),
        str(maker.day(2002, 2006)), place.address, "Calgary", "AB", "Canada", place.postal_code, maker.phone(),
        maker.phone(), f"{first.lower()}@musicshop.example",
    )  # fmt: skip


def _customer(maker: Maker, number: int) -> tuple[object, ...]:
    first, last = maker.person("customer")
    place = maker.place()
    company = f"{last} {maker.one(('Ltd', 'GmbH', 'S.A.', 'Records', 'Studios'))}" if maker.chance(0.2) else None
    fax = maker.phone() if company else None
    return (
        number, first, last, company, place.address, place.city, place.state, place.country, place.postal_code,
        maker.phone(), fax, f"{first.lower()}.{last.lower()}@mail.example", maker.one(_SUPPORT),
    )  # fmt: skip


def _invoices(
    maker: Maker, customers: list[tuple[object, ...]], tracks: list[tuple[object, ...]]
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Invoices with the addresses of their customers, and their lines."""
    invoices: list[tuple[object, ...]] = []
    lines: list[tuple[object, ...]] = []
    for number, day in enumerate(sorted(maker.day(2009, 2013) for _ in range(240)), 1):
        customer = maker.one(customers)
        total = 0
        for track in maker.some(range(len(tracks)), maker.below(8) + 1):
            price = tracks[track][8]
            assert isinstance(price, float)
            lines.append((len(lines) + 1, number, track + 1, price, 1))
            total += round(price * 100)
        invoices.append((number, customer[0], str(day), *customer[4:9], total / 100))
    return invoices, lines
