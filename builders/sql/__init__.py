"""What builders share that make questions from a SQL database: grammar, aurp, and whoever has a database of their own.

own_database     a user's database by the words of a command line
csv_folder       a folder of CSV or Parquet files as a database
csv_files        a CSV file as its program wrote it: encoding, delimiter, rows with their lines
csv_references   which columns of such files are keys, and what they refer to
parquet_files    Parquet files as tables
raw_tables       what a database says of its tables and views, with some of their rows
schema           tables and columns: what rows are called by, what can be asked of them
reflection       the schema of a database, as its declarations, its names and some of its rows tell it
naming           what rows are called by (`naming.toml`)
multiplicity     how many rows of an associative table a thing has
booleans         columns that hold yes or no without being declared so
units            units of columns, and values as people write them with their unit (`units.toml`)
personal         columns that may hold personal data
technical        columns that only programs read (`technical.toml`)
reach            how far away from what is named a column is still asked for (`reach.toml`)
joins            joins along foreign keys: which key a template follows, what it leads to
schema_areas     the tables that a model is asked about together
schema_file/     how a person understands the schema: drafted, edited, given back
vocabulary       what tables and columns are called
templates/       SQL templates: enumerated, proposed by a model, read from files; checked and made ready
kinds/           kinds of questions beside lookups, such as how many there are
wording/         texts for SQL templates: by rule or by a model, and how alike two wordings are
filling/         values and executed answers for templates, and the rows of questions made of them
texts            who wrote the texts of a release
held_cells       which rows the questions of a template read, for a build that holds answers back
copied_rows      which rows repeat what another row says
proofs/          what is proved of a release from its SQL, its templates and a database
"""
