import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decodeReply } from '../../../src/client/http/reply/decode.ts';
import type { EndpointRow } from '../../../src/contract/endpointRow.ts';
import { endpointPaths, endpoints, type EndpointPath } from '../../../src/contract/endpoints.ts';
import { codeFieldOf, envelopeFields } from '../../../src/contract/envelope.ts';
import { figure } from '../../support/run/figure.ts';
import { isRecord } from '../../support/isRecord.ts';
import { variations, varied, type Variation } from '../../support/run/payloadVariations.ts';

/*
 * What real servers of different releases do with the same reply, at every decoder: a reply with every listed field filled, in each
 * variation, and with each field left out or null in turn.
 */

/** How deep lists of objects within objects are filled. */
const deepest = 6;
const moment = '2026-11-22T06:30:00.000Z';

/** A value with every field filled that a schema lists. */
function filled(schema: unknown, name = '', depth = 0): unknown {
  if (!isRecord(schema)) return null;
  // An object within one of its own kind.
  if (schema.$ref !== undefined) return {};
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as unknown[] | undefined;
  if (choices)
    return filled(
      choices.find((choice) => isRecord(choice) && choice.type !== 'null'),
      name,
      depth,
    );
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  if (schema.const !== undefined) return schema.const;
  const type = Array.isArray(schema.type) ? (schema.type as unknown[]).find((one) => one !== 'null') : schema.type;
  if (type === 'object') {
    const fields = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
    return Object.fromEntries(fields.map(([field, inner]) => [field, filled(inner, field, depth + 1)]));
  }
  if (type === 'array')
    return depth > deepest ? [] : [filled(schema.items, name, depth + 1)].filter((item) => item !== null);
  if (type === 'boolean') return false;
  // A code is a number or a text of one.
  if (type === 'number' || type === 'integer') return /code/i.test(name) ? 0 : 7;
  if (type === undefined && /code/i.test(name)) return 0;
  if (/message$/i.test(name)) return '';
  return /date|created|modified|expir|time$/i.test(name) ? moment : 'x';
}

interface Sample {
  path: EndpointPath;
  row: EndpointRow;
  value: unknown;
}

const samples = endpointPaths.flatMap((path): Sample[] => {
  const row: EndpointRow = endpoints[path];
  if (row.form.kind !== 'json') return [];
  const schema = z.toJSONSchema(row.reply, { unrepresentable: 'any', io: 'input', reused: 'inline', cycles: 'ref' });
  const value = filled(schema);
  const codeField = codeFieldOf(row.form.envelope);
  return [{ path, row, value: isRecord(value) && codeField !== undefined ? { ...value, [codeField]: 0 } : value }];
});

function decode(path: EndpointPath, text: string): unknown {
  return decodeReply(path, { status: 200, contentType: 'application/json', text }, 'Test Server');
}

/** Fields without which a reply proves nothing: the code of a write, and the report that was asked for; and so is the only one. */
function isNeeded({ row }: Sample, name: string): boolean {
  if (row.form.kind !== 'json') return false;
  const { envelope } = row.form;
  if (name === 'Report' && (envelope === 'metadata' || envelope === 'prompts')) return true;
  return name === codeFieldOf(envelope) && !row.isSafe && row.proof === undefined;
}

describe('replies of other releases', () => {
  it('are read at every endpoint, whatever their codes, texts, moments and further fields are like', () => {
    const changed = new Map<Variation, number>();
    for (const { path, value } of samples) {
      const text = JSON.stringify(value);
      for (const variation of variations) {
        const other = varied(variation, text);
        if (other !== text) changed.set(variation, (changed.get(variation) ?? 0) + 1);
        expect(decode(path, other), `${path}, ${variation}`).toEqual(JSON.parse(other));
      }
    }
    expect(changed.get('asListed')).toBeUndefined();
    for (const variation of variations.filter((one) => one !== 'asListed')) {
      expect(changed.get(variation), `endpoints that ${variation} changes`).toBeGreaterThan(15);
    }
    expect(changed.get('extra')).toBe(samples.length);
    const counts = [...changed].map(([variation, times]) => `${variation} ${times}`).join(', ');
    figure('R19', `${samples.length} decoders, replies changed by ${counts}: all read`);
  });

  it('are read without any one field, or with null in it, unless it is the one that proves something', () => {
    const count = { left: 0, needed: 0 };
    for (const sample of samples) {
      const { path, value } = sample;
      const isList = Array.isArray(value);
      const one: unknown = isList ? (value as unknown[])[0] : value;
      if (!isRecord(one)) continue;
      for (const name of Object.keys(one)) {
        const { [name]: _gone, ...rest } = one;
        const isOnly =
          sample.row.isSafe &&
          !envelopeFields.has(name) &&
          Object.keys(rest).every((other) => envelopeFields.has(other));
        for (const reply of [rest, { ...one, [name]: null }]) {
          const text = JSON.stringify(isList ? [reply] : reply);
          if (!isList && (isNeeded(sample, name) || (isOnly && reply === rest))) {
            count.needed += 1;
            expect(() => decode(path, text), `${path} without ${name}`).toThrow();
          } else {
            count.left += 1;
            expect(decode(path, text), `${path} without ${name}`).toEqual(JSON.parse(text));
          }
        }
      }
    }
    expect(Math.min(count.left, count.needed)).toBeGreaterThan(5);
    figure(
      'R19',
      `${count.left} replies without one field, or with null in it, read; ${count.needed} without their proof refused`,
    );
  });
});
