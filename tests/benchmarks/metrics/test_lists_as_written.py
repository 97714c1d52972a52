"""Answers to questions for a list as language models write them, on lists of a trader's database; worked out by hand."""

import pytest

from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.metrics.base import ReleaseData
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question


def asked(name: str, text: str, *answers: str) -> Question:
    return Question(name, text, answers, tuple(() for _ in answers), "set", template=name.split()[0])


WA = asked("customers of WA", "need names of customers whose region is WA",
           "Lazy K Kountry Store", "Trail's Head Gourmet Provisioners", "White Clover Markets")  # fmt: skip
PORTUGAL = asked("customers of Portugal", "What are the names of the customers whose country is Portugal?",
                 "Furia Bacalhau e Frutos do Mar", "Princesa Isabel Vinhos")  # fmt: skip
BRAZIL = asked("customers of Brazil", "?", "Hanari Carnes", "Wellington Importadora", "Comércio Mineiro")
TEAM = asked("staff of Fuller", "Who are the employees whose manager is Andrew Fuller?",
             "Janet Leverling", "Laura Callahan", "Margaret Peacock", "Nancy Davolio", "Steven Buchanan")  # fmt: skip
BUCHANAN = asked("staff of Buchanan", "?", "Anne Dodsworth", "Michael Suyama", "Robert King")
NORWAY = asked("orders to Norway", "List the orders whose ship-to country is Norway.",
               "10387", "10520", "10639", "10831", "10909", "11015")  # fmt: skip
BISTRO = asked("orders of a customer", "Which orders of the customer Simons bistro are there?",
               "10341", "10417", "10556", "10642", "10669", "10802", "11074")  # fmt: skip
FRANCE = asked("suppliers of France", "List the suppliers whose country is France.",
               "Aux joyeux ecclésiastiques", "Escargots Nouveaux", "Gai pâturage")  # fmt: skip
CANADA = asked("suppliers of Canada", "?", "Forêts d'érables", "Ma Maison")
GRAIN = asked("products of grain", "need names of products in category Grains/Cereals",
              "Filo Mix", "Gnocchi di nonna Alice", "Gustaf's Knäckebröd", "Ravioli Angelo",
              "Singaporean Hokkien Fried Mee", "Tunnbröd", "Wimmers gute Semmelknödel")  # fmt: skip
BISCUITS = asked("products of a supplier", "What are the products from the supplier Specialty Biscuits, Ltd.?",
                 "Scottish Longbreads", "Sir Rodney's Marmalade", "Sir Rodney's Scones",
                 "Teatime Chocolate Biscuits")  # fmt: skip
ORDER = asked("products of an order", "List the products on order 10642.", "Sir Rodney's Scones", "Sirop d'érable")
RELEASE = (WA, PORTUGAL, BRAZIL, TEAM, BUCHANAN, NORWAY, BISTRO, FRANCE, CANADA, GRAIN, BISCUITS, ORDER)

CASES: list[tuple[Question, str, tuple[int, int] | None, int]] = [
    # of a question an answer; how many of how many that it names belong to the list; how many of the list it names
    (WA, "Based on the provided context, the customers in WA are:\n\n1. **Lazy K Kountry Store**\n"
     "2. **Trail's Head Gourmet Provisioners**\n3. **White Clover Markets**", (3, 3), 3),
    (WA, "There are 3 customers located in the WA region:\n- Lazy K Kountry Store (Walla Walla)\n- White Clover Markets "
     "(Seattle)\n- Trail's Head Gourmet Provisioners (Kirkland)\n\nLet me know if you need anything else!", (3, 3), 3),
    (WA, "Lazy K Kountry Store and White Clover Markets, and 1 more.", (2, 2), 2),
    (WA, "White Clover Markets in Seattle is the only customer I found with region WA.", (1, 1), 1),
    (WA, "The customers are Lazy K Kountry Store, Trail's Head Gourmet Provisioners, White Clover Markets, and Great "
     "Lakes Food Market.", (3, 4), 3),
    (WA, "I'm sorry, but the provided documents do not contain a list of customers in WA.", None, 0),
    (PORTUGAL, "Two customers are based in Portugal: Furia Bacalhau e Frutos do Mar and Princesa Isabel Vinhos, both of "
     "which are located in Lisbon.", (2, 2), 2),
    (PORTUGAL, "| Customer | City |\n|---|---|\n| Furia Bacalhau e Frutos do Mar | Lisboa |\n"
     "| Princesa Isabel Vinhos | Lisboa |", (2, 2), 2),
    (PORTUGAL, "- Furia Bacalhau e Frutos do Mar\n- Princesa Isabel Vinhos\n- Wellington Importadora (Brazil, so not "
     "included)", (2, 2), 2),
    (PORTUGAL, "Customers in Portugal include Princesa Isabel Vinhos. Note: Hanari Carnes is in Brazil and was therefore "
     "excluded.", (1, 1), 1),
    (PORTUGAL, "Furia Bacalhau e Frutos do Mar, Princesa Isabel Vinhos, Comércio Mineiro, Que Delícia", (2, 4), 2),
    (TEAM, "Andrew Fuller manages the following employees: Nancy Davolio, Janet Leverling, Margaret Peacock, Steven "
     "Buchanan, and Laura Callahan.", (5, 5), 5),
    (TEAM, "**Answer:** Nancy Davolio; Janet Leverling; Margaret Peacock; Steven Buchanan; Laura Callahan; Robert King",
     (5, 6), 5),
    (TEAM, "The employees reporting to Andrew Fuller are:\n\n* Nancy Davolio – Sales Representative\n* Janet Leverling – "
     "Sales Representative\n* Margaret Peacock – Sales Representative\n* Michael Suyama – Sales Representative", (3, 4), 3),
    (TEAM, "Davolio, Leverling, Peacock, Buchanan, Callahan", (5, 5), 5),
    (TEAM, "Fuller's direct reports: N. Davolio, J. Leverling, and M. Peacock (and two more).", (3, 3), 3),
    (TEAM, "No employees report to Andrew Fuller.", None, 0),
    (NORWAY, "Orders 10387, 10520, 10639, 10831, 10909 and 11015 were shipped to Norway.", (6, 6), 6),
    (NORWAY, "The following orders were shipped to Norway:\n- Order 10387 (1996-12-18)\n- Order 10520 (1997-04-29)\n"
     "- Order 10639\n- Order 10831", (4, 4), 4),
    (NORWAY, "10387, 10520, 10639, ... (3 more)", (3, 3), 3),
    (NORWAY, "I found 6 orders: #10387, #10520, #10639, #10831, #10909, #11016.", (5, 6), 5),
    (NORWAY, "Order IDs: 10387 | 10520 | 10639 | 10831 | 10909 | 11015", (6, 6), 6),
    (BISTRO, "Simons bistro placed orders 10341, 10417, 10556, 10642, 10669, 10802, and 11074.", (7, 7), 7),
    (BISTRO, "Orders: 10341, 10417 and 10556 (three in total).", (3, 3), 3),
    (BISTRO, "I can see 10341 and 10417. I could not determine the remaining orders.", (2, 2), 2),
    (FRANCE, "The suppliers located in France are Aux joyeux ecclésiastiques (Paris), Escargots Nouveaux (Montceau), and "
     "Gai pâturage (Annecy).", (3, 3), 3),
    (FRANCE, "Aux joyeux ecclesiastiques\nEscargots Nouveaux\nGai paturage", (3, 3), 3),
    (FRANCE, "1) Escargots Nouveaux\n2) Gai pâturage\n3) Ma Maison", (2, 3), 2),
    (FRANCE, '{"suppliers": ["Aux joyeux ecclésiastiques", "Gai pâturage"]}', (2, 2), 2),
    (FRANCE, "The documents mention Gai pâturage and Escargots Nouveaux as French suppliers. There may be others, but the "
     "context does not list them.", (2, 2), 2),
    (FRANCE, "Escargots Nouveaux.", (1, 1), 1),
    (GRAIN, "The Grains/Cereals category contains seven products:\n\n1. Gustaf's Knäckebröd\n2. Tunnbröd\n3. Singaporean "
     "Hokkien Fried Mee\n4. Filo Mix\n5. Gnocchi di nonna Alice\n6. Ravioli Angelo\n7. Wimmers gute Semmelknödel",
     (7, 7), 7),
    (GRAIN, "Products in this category include Filo Mix, Ravioli Angelo, Tunnbröd and many others.", (3, 3), 3),
    (GRAIN, "Filo Mix, Gnocchi di nonna Alice, Ravioli Angelo, Pavlova, Chai", (3, 5), 3),
    (GRAIN, "Sure! Here are the products in the Grains/Cereals category:\n\n• Filo Mix — $7.00\n• Ravioli Angelo — $19.50\n"
     "• Tunnbröd — $9.00\n• Queso Cabrales — $21.00\n\nWould you like me to include prices?", (3, 4), 3),
    (BISCUITS, "Specialty Biscuits, Ltd. supplies Teatime Chocolate Biscuits, Sir Rodney's Marmalade, Sir Rodney's Scones, "
     "and Scottish Longbreads.", (4, 4), 4),
    (BISCUITS, "Teatime Chocolate Biscuits; Sir Rodney's Marmalade; Sir Rodney's Scones; Chocolade", (3, 4), 3),
    (BISCUITS, "Based on the records:\n\n| # | Product | Price |\n|---|---|---|\n| 1 | Teatime Chocolate Biscuits | 9.2 |\n"
     "| 2 | Sir Rodney's Marmalade | 81 |\n| 3 | Scottish Longbreads | 12.5 |", (3, 3), 3),
    (BISCUITS, "The supplier offers Sir Rodney's Scones and Sir Rodney's Marmalade; Zaanse Snoepfabriek, on the other hand, "
     "supplies Chocolade.", (2, 2), 2),
    (ORDER, "Sir Rodney's Scones and Sirop d'érable.", (2, 2), 2),
    (ORDER, "Order 10642 contains 30 units of Sir Rodney's Scones and 20 units of Sirop d'érable.", (2, 2), 2),
    (ORDER, "Order 10642 contains Sir Rodney's Marmalade and Sirop d'erable.", (1, 2), 1),
    (GRAIN, "The category includes: Filo Mix, Tunnbröd, etc.", (2, 2), 2),
    (GRAIN, "Filo Mix\nGnocchi di nonna Alice\nGustaf's Knackebrod\nRavioli Angelo\nSingaporean Hokkien Fried Mee\nTunnbrod\n"
     "Wimmers gute Semmelknodel", (7, 7), 7),
    (NORWAY, "Norway orders → 10387; 10520; 10639; 10831; 10909; 11015.", (6, 6), 6),
    (NORWAY, "I was only able to find these: 10387 and 10520. The document appears to be truncated, so the list may not be "
     "complete.", (2, 2), 2),
    (TEAM, "Andrew Fuller's team consists of five people: Nancy Davolio, Janet Leverling, Margaret Peacock, Steven Buchanan "
     "and Laura Callahan. Michael Suyama, Robert King and Anne Dodsworth report to Steven Buchanan instead.", (5, 5), 5),
    (TEAM, "Yes. Nancy Davolio, Janet Leverling.", (2, 2), 2),
    (FRANCE, "**Suppliers in France**\n\n| Supplier | City | Contact |\n|:--|:--|:--|\n| Aux joyeux ecclésiastiques | Paris | "
     "Guylène Nodier |\n| Escargots Nouveaux | Montceau | Marie Delamare |\n| Gai pâturage | Annecy | Eliane Noz |\n\n"
     "Total: 3 suppliers.", (3, 3), 3),
    (FRANCE, "Ma Maison and Gai pâturage are French.", (1, 2), 1),
    (WA, "Great question! The following customers are in Washington (WA): Lazy K Kountry Store and White Clover Markets. I "
     "hope this helps.", (2, 2), 2),
    (PORTUGAL, "Only Furia Bacalhau e Frutos do Mar is listed; no other customers from Portugal appear in the context.",
     (1, 1), 1),
    (ORDER, "- Sir Rodney's Scones (30)\n- Sirop d'érable (20)\n- Chang (15)", (2, 3), 2),
    (BISTRO, "```json\n[10341, 10417, 10556, 10642]\n```", (4, 4), 4),
    (BISCUITS, "Their products: Teatime Chocolate Biscuits, Sir Rodney's Marmalade, and Tofu.", (2, 3), 2),
]  # fmt: skip


@pytest.mark.parametrize("metric", ["list_precision", "list_recall", "list_complete"])
def test_lists_as_language_models_write_them(metric: str) -> None:
    rule = find_metric(metric).rule
    assert rule is not None
    given = [Prediction(question.id, answer) for question, answer, *_ in CASES]
    scores = rule(ReleaseData(RELEASE))([case[0] for case in CASES], given)
    found = []
    for (question, answer, belong, named), score in zip(CASES, scores, strict=True):
        whole = len(question.answers)
        by_hand = {
            "list_precision": belong and belong[0] / belong[1],
            "list_recall": named / whole,
            "list_complete": float(named == whole),
        }[metric]
        if score.value != pytest.approx(by_hand):
            found.append((answer, by_hand, score.value, score.reason))
    assert found == []
