"""Reads an exported file with a reader of another maker and prints its cells as JSON: [type, text] or null, row by row.

Usage: readExport.py csv|csvWithMark|tsv|json|xlsx|parquet FILE. The first row holds the titles.
"""
import json
import sys


def cell(value):
    return None if value is None else [type(value).__name__, value if isinstance(value, str) else repr(value)]


def separated(path, encoding, separator):
    import pandas

    frame = pandas.read_csv(path, sep=separator, encoding=encoding, dtype=str, keep_default_na=False)
    yield list(frame.columns)
    yield from frame.itertuples(index=False)


def workbook(path):
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=False, data_only=False)
    for row in book.active.iter_rows():
        if any(each.data_type == "f" for each in row):
            raise ValueError("a cell is a formula")
        yield [each.value for each in row]


def parquet(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    yield [f"{field.name} {field.type}" for field in table.schema]
    for row in table.to_pylist():
        yield list(row.values())


def objects(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    keys = list(dict.fromkeys(key for row in rows for key in row))
    yield keys
    for row in rows:
        yield [row.get(key) for key in keys]


readers = {
    "csv": lambda path: separated(path, "utf-8", ","),
    "csvWithMark": lambda path: separated(path, "utf-8-sig", ","),
    "tsv": lambda path: separated(path, "utf-8", "\t"),
    "xlsx": workbook,
    "parquet": parquet,
    "json": objects,
}
print(json.dumps([[cell(value) for value in row] for row in readers[sys.argv[1]](sys.argv[2])]))
