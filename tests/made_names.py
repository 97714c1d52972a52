"""People, places, streets and words that sample databases are made of, drawn by seed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

T = TypeVar("T")


def words(text: str) -> list[str]:
    """The words of a list that is written as a text."""
    return text.split()


FIRST = words("""
Ada Alice Amir Anna Arjun Aisha Ben Bruno Carla Carmen Chen Clara Daniel Dario Diana Edith Elena Emil Erik Esther Farid
Fatima Felix Fiona Frank Gina Grace Greta Hana Harold Helen Hugo Ines Irene Isaac Ivan Jack Jana Jonas Judith Karim Karl
Kate Kenji Laura Leila Leo Linda Lucia Lukas Magda Marco Maria Martin Maya Mehmet Mina Nadia Nina Nora Olga Oscar Pablo
Paula Peter Petra Rafael Rania Ravi Rita Robert Rosa Ruth Samir Sara Simon Sofia Stefan Susan Tanja Teresa Thomas Tomas
Ursula Vera Victor Wanda Yuki Yusuf Zoe
""")
LAST = words("""
Abbott Acosta Adler Andersen Arslan Baker Barros Bauer Becker Bell Berg Bianchi Blake Brandt Byrne Campos Carver Castro
Chandra Clarke Costa Crane Dahl Delgado Dubois Duarte Eriksen Farouk Ferrari Fischer Fletcher Fontaine Fuchs Garcia Gibson
Gomez Grant Haddad Hansen Hartley Hayes Holm Ibarra Ito Jensen Kaplan Keller Khan Kowalski Kumar Lambert Larsen Lindgren
Lopez Maier Marsh Mendez Meyer Moreau Moretti Nakamura Novak Oliveira Ortega Palmer Park Pereira Petrov Quinn Ramos Reyes
Rossi Sato Schmidt Silva Singh Sorensen Stone Suzuki Tanaka Torres Turner Vargas Vogel Walsh Weber Wong Yilmaz Zeller
""")
CITIES = {
    "Argentina": ("Córdoba", "Rosario", "Mendoza"),
    "Austria": ("Graz", "Linz", "Salzburg"),
    "Brazil": ("Curitiba", "Recife", "Santos"),
    "Canada": ("Halifax", "Ottawa", "Edmonton"),
    "Denmark": ("Aarhus", "Odense"),
    "France": ("Lille", "Nantes", "Dijon"),
    "Germany": ("Bremen", "Leipzig", "Mainz", "Kassel"),
    "India": ("Pune", "Jaipur", "Kochi"),
    "Italy": ("Turin", "Bologna", "Verona"),
    "Japan": ("Osaka", "Sendai", "Kobe"),
    "Mexico": ("Puebla", "León", "Mérida"),
    "Morocco": ("Fez", "Agadir"),
    "Poland": ("Gdańsk", "Poznań", "Lublin"),
    "Portugal": ("Braga", "Faro"),
    "Spain": ("Bilbao", "Málaga", "Zaragoza"),
    "Turkey": ("Izmir", "Bursa"),
    "United Kingdom": ("Leeds", "Cardiff", "Dundee"),
    "United States": ("Portland", "Tucson", "Omaha", "Albany"),
}
STATES = {
    "Canada": ("NS", "ON", "AB"),
    "Brazil": ("PR", "PE", "SP"),
    "United States": ("OR", "AZ", "NE", "NY"),
}
"""Of the cities in the same place of their list; elsewhere nobody writes a state."""
_STREETS = words("Mill Station Harbour Garden Chapel River Market Forest Castle School Orchard Bridge Meadow Quarry")
_KINDS = words("Street Road Lane Avenue Square")
_WORDS = words("""
Amber Autumn Blue Borrowed Broken Copper Crooked Distant Early Empty Paper Frozen Gentle Glass Golden Hollow Hidden Iron
Last Little Lonely Lost Midnight Northern Painted Quiet Restless Silent Silver Slow Southern Stolen Sudden Velvet Winter
Wooden
""")
_THINGS = words("""
Anchor Avenue Bells Birds Bridge Candle Carnival Circus Cloud Compass Corner Daughter Desert Engine Fever Fields Fountain
Garden Ghost Harbour Highway Horses Island Journey Kingdom Ladder Letters Lights Market Mirror Moon Mountain Ocean Orchard
Parade Promise Rain River Sailor Shadow Signal Station Stranger Summer Thunder Tower Train Valley Voices Window Winter
""")


@dataclass(frozen=True)
class Place:
    """Where somebody lives."""

    address: str
    city: str
    state: str | None
    country: str
    postal_code: str


@dataclass
class Maker:
    """Draws by seed; what must differ differs."""

    seed: int
    _random: Random = field(init=False)
    _used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)

    def below(self, number: int) -> int:
        """A number from 0."""
        return int(self._random.random() * number)

    def one(self, things: Sequence[T]) -> T:
        """One of several."""
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """Several different ones, in their order."""
        places: set[int] = set()
        while len(places) < count:
            places.add(self.below(len(things)))
        return [things[place] for place in sorted(places)]

    def chance(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return self._random.random() < share

    def new(self, kind: str, draw: Sequence[str] | None = None) -> str:
        """A title, or one of `draw`, that was not drawn for this kind before."""
        while True:
            text = self.one(draw) if draw else self.title()
            if f"{kind} {text}" not in self._used:
                self._used.add(f"{kind} {text}")
                return text

    def person(self, kind: str) -> tuple[str, str]:
        """First and last name that nobody else of this kind has."""
        first, last = self.new(kind, [f"{first} {last}" for first in FIRST for last in LAST]).split()
        return first, last

    def title(self) -> str:
        """Of a song, an album or a film."""
        word, thing, other = self.one(_WORDS), self.one(_THINGS), self.one(_THINGS)
        shapes = (f"{word} {thing}", f"The {word} {thing}", f"{thing} of the {other}", f"{word} {thing} Blues",
                  f"{thing} and {other}", f"Under the {word} {thing}", f"{word} {thing} for {self.one(FIRST)}")  # fmt: skip
        return self.one(shapes)

    def place(self) -> Place:
        """An address."""
        country = self.one(list(CITIES))
        number = self.below(len(CITIES[country]))
        street = f"{self.below(180) + 1} {self.one(_STREETS)} {self.one(_KINDS)}"
        states = STATES.get(country)
        code = f"{self.below(90000) + 10000}"
        return Place(street, CITIES[country][number], states[number] if states else None, country, code)

    def phone(self) -> str:
        """A number that nobody has."""
        return f"+{self.below(89) + 10} {self.below(900) + 100} 555{self.below(9000) + 1000}"

    def day(self, first: int, last: int) -> datetime:
        """A day in some years, at midnight."""
        start = datetime(first, 1, 1)
        return start + timedelta(days=self.below((datetime(last + 1, 1, 1) - start).days))

    def moment(self, first: int, last: int) -> datetime:
        """A day in some years, with a time of day."""
        return self.day(first, last) + timedelta(seconds=self.below(86_400))
