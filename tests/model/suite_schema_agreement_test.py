#!/usr/bin/env python3
"""The schemas say what the decoder says: the example documents, judged by python3-jsonschema.

suite_json_test.cpp decodes the same folders. Documents of *_bad_beyond_schema break rules that a
schema cannot express: the schema must let them pass, or they belong into *_bad.
Exit code 77: not run, python3-jsonschema is missing.
"""

import json
import sys
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("not run: install python3-jsonschema", file=sys.stderr)
    sys.exit(77)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def validator(kind):
    schema = json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def documents(folder):
    paths = sorted(folder.glob("*.json"))
    assert paths, f"no documents in {folder}"
    return [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def objects_with_properties(schema):
    """Every sub-schema that lists properties, at any depth."""
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects_with_properties(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects_with_properties(part)


class SchemaAgreement(unittest.TestCase):
    def expect_valid(self, kind, folder):
        judge = validator(kind)
        for name, document in documents(folder):
            with self.subTest(document=name):
                problems = [f"{e.json_path}: {e.message}" for e in judge.iter_errors(document)]
                self.assertEqual(problems, [])

    def expect_invalid(self, kind, folder):
        judge = validator(kind)
        for name, document in documents(folder):
            with self.subTest(document=name):
                self.assertFalse(judge.is_valid(document))

    def test_good_suites(self):
        self.expect_valid("suite", HERE / "suites_good")

    def test_bad_suites(self):
        self.expect_invalid("suite", HERE / "suites_bad")

    def test_suites_bad_beyond_schema(self):
        self.expect_valid("suite", HERE / "suites_bad_beyond_schema")

    def test_shipped_suites(self):
        self.expect_valid("suite", ROOT / "suites")

    def test_good_systems(self):
        self.expect_valid("system", HERE / "systems_good")

    def test_bad_systems(self):
        self.expect_invalid("system", HERE / "systems_bad")

    def test_shipped_systems(self):
        self.expect_valid("system", ROOT / "suites" / "systems")

    def test_every_object_refuses_unknown_keys(self):
        for kind in ("suite", "system"):
            schema = validator(kind).schema
            for part in objects_with_properties(schema):
                with self.subTest(schema=kind, keys=sorted(part["properties"])):
                    self.assertIs(part.get("additionalProperties"), False)


if __name__ == "__main__":
    unittest.main()
