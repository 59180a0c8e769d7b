/** A range of SQL and its kind. */
interface SqlToken {
  kind: 'keyword' | 'text' | 'number' | 'prompt' | 'name' | 'plain';
  text: string;
}

const keywords = new Set(
  (
    'select distinct from where and or not in is null like between case when then else end as on inner left right full ' +
    'outer join group by having order limit offset top fetch first next rows only asc desc nulls last with union all ' +
    'exists escape cast interval date timestamp over partition true false using'
  ).split(' '),
);

const part =
  /('(?:[^']|'')*')|("(?:[^"]|"")*"|`[^`]*`|\[[^\]\n]*\])|(\{\?[^}\n]*\})|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][\w$]*)|(--[^\n]*|\s+|\S)/g;

/** Splits SQL into tokens for highlighting. Joined together, they equal the input. */
export function sqlTokens(sql: string): SqlToken[] {
  return [...sql.matchAll(part)].map(([text, quoted, name, prompt, number, word]): SqlToken => {
    if (quoted !== undefined) return { kind: 'text', text };
    if (name !== undefined) return { kind: 'name', text };
    if (prompt !== undefined) return { kind: 'prompt', text };
    if (number !== undefined) return { kind: 'number', text };
    return { kind: word !== undefined && keywords.has(word.toLowerCase()) ? 'keyword' : 'plain', text };
  });
}
