import { parseTree } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { looksLike } from '../../../../src/objects/language/looksLike.ts';

it.each([
  ['settings', '{ "password": "x", "apiToken": "y", "debug": true }', false],
  ['report', '{ "stats": {}, "results": [], "meta": {} }', false],
  ['user', '{ "name": "ann", "email": "a@b.c", "theme": "dark", "ID": 4 }', false],
  ['server', '{ "DisplayName": "W", "DatabasePassword": "hunter2" }', true],
  ['user', '{ "LoginName": "ann" }', true],
  ['policy', '{ "Name": "a", "isActive": true, "Constraints": [], "own": 1, "more": 2, "and": 3, "others": 4 }', true],
  ['user', '{ "$schema": "u", "ID": "1", "LoginName": "a", "UserPassword": "x", "GroupId": "7" }', true],
  ['policy', '{}', true],
  ['policy', '', true],
])('tells an object of the kind %s from other files: %s', (kind, text, expected) => {
  expect(looksLike(kind, parseTree(text))).toBe(expected);
});
