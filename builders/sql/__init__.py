"""What builders share that make questions from a SQL database: grammar, aurp, and whoever has a database of their own.

schema           tables and columns: what rows are called by, what can be asked of them
schema_areas     the tables that a model is asked about together
vocabulary       what tables and columns are called
schema_file/     how a person understands the schema: drafted, edited, given back
personal         columns that may hold personal data
csv_folder       a folder of CSV or Parquet files as a database
csv_files        a CSV file as its program wrote it: encoding, delimiter, rows with their lines
templates/       SQL templates: enumerated, proposed by a model, read from files; checked and made ready
wording/         texts for SQL templates: by rule or by a model, and how alike two wordings are
filling/         values and executed answers for templates, and the rows of questions made of them
"""
