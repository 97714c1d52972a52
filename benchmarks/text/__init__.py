"""Text of any kind, one way of each: what is compared, and the numbers, dates, places and sentences in it.

folding    folded characters and words, as answers are compared
words      words, function words and roots, as retrieval compares them
numbers    numbers in figures and words, with scales and units     numbers.toml, units.toml
dates      dates in figures and words                              dates.toml
countries  countries, nationalities, states                        countries.toml
sentences  where sentences end
csv_files  CSV files: encoding, delimiter, rows
cells      what a cell of a table says
columns    columns by their usual names
slugs      names of folders made of other names
"""
