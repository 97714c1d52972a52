"""Traces of a system that answered elsewhere, as predictions.

trace       what one trace says, whatever it was read from; which question it is of
tables      rows of CSV files; `columns.toml` has the usual names of columns
spans       spans of OpenTelemetry as files hold them: OTLP as JSON, what SDKs print
attributes  what a span's attributes say; `attributes.toml` has the names
assembly    the spans of a question as one trace
"""
