import type { Node } from 'jsonc-parser';
import * as l10n from '../../l10n/l10n.ts';
import { fieldNode, replacement } from './jsonText.ts';
import type { Call } from './knownObjects.ts';
import { nearest, type Problem, type ProblemContext } from './problems/problem.ts';
import type { KnownTimeZone } from './serverFacts.ts';
import type { Place, SuggestContext, Suggestion } from './suggestion.ts';

/** Fields with a time zone, by kind: the offset in hours, and the name if there is one. */
const fields: Readonly<Record<string, { offset: string; name?: string }>> = {
  user: { offset: 'timezone', name: 'timezonename' },
  profile: { offset: 'timezone', name: 'timezonename' },
  server: { offset: 'TimeZone', name: 'timezonename' },
};

/** Whether documents of a kind have a time zone. */
export function holdsTimeZone(kind: string): boolean {
  return kind in fields;
}

/**
 * Time zones of the server. API description, GetTimeZones.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readTimeZones(call: Call, signal?: AbortSignal): Promise<KnownTimeZone[]> {
  const zones = await call('RegServers/GetTimeZones', {}, signal ? { signal } : {});
  return zones.flatMap(({ Name, Code, Offset }) =>
    typeof Offset === 'number' ? [{ name: Name || Code || '', code: Code ?? '', offset: Offset }] : [],
  );
}

/** Invalid offsets: checked against the server's list, if known, or else against the possible ones. */
export function timeZoneProblems({ document, kind, facts }: ProblemContext): Problem[] {
  const field = fields[kind.name];
  const node = field && fieldNode(document.root, field.offset);
  const written: unknown = node?.value;
  if (!node || typeof written !== 'number' || isOffset(written, facts.timeZones)) return [];
  const zones = facts.timeZones ?? [];
  const offsets = new Map(zones.map(({ offset, name }) => [offset, name]));
  return [
    {
      code: 'unknownValue',
      severity: 'warning',
      offset: node.offset,
      length: node.length,
      message: l10n.t('No time zone has a UTC offset of {0} hours.', written),
      fixes: nearest(String(written), offsets, ([offset]) => String(offset)).map(([offset, name]) => ({
        title: l10n.t('Change to {0} ({1})', offset, name),
        changes: [replacement(node, offset)],
      })),
    },
  ];
}

/**
 * UTC offsets are multiples of 15 minutes, from −12 to +14. The server's documented list has whole hours, so a zone
 * between two hours may be listed by its hours alone.
 */
function isOffset(hours: number, zones: ProblemContext['facts']['timeZones']): boolean {
  if (!Number.isInteger(hours * 4) || hours < -12 || hours > 14) return false;
  if (!zones || zones.length === 0 || hours === 0) return true;
  return zones.some(({ offset }) => offset === hours || offset === Math.trunc(hours));
}

/** Suggests time zones; a user's offset and name change together. */
export function suggestTimeZone({ kind, facts, document }: SuggestContext, place: Place): Suggestion[] {
  const field = fields[kind];
  if (!field || place.kind !== 'value' || (place.path !== field.offset && place.path !== field.name)) return [];
  const isName = place.path === field.name;
  const other = isName ? field.offset : field.name;
  const otherNode = other === undefined ? undefined : fieldNode(document.root, other);
  return (facts.timeZones ?? []).map((zone) => {
    const { name, code, offset } = zone;
    const insert = isName ? JSON.stringify(name) : String(offset);
    const also = otherNode && isScalar(otherNode) ? [replacement(otherNode, isName ? offset : name)] : [];
    return {
      label: name,
      detail: String(offset),
      lines: code === name ? [] : [code],
      icon: 'value',
      insert,
      span: place.span,
      filter: place.node ? `${isName ? '"' : String(place.node.value)}${name} ${code}` : name,
      alsoChanges: also,
    };
  });
}

function isScalar({ type }: Node): boolean {
  return type === 'string' || type === 'number' || type === 'null';
}
