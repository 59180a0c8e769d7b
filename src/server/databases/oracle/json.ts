import { plainText, withoutZeros } from '../exactJson.ts';
import type { JsonValueWriter } from '../queryRules.ts';

/** How a column is read from Oracle, and how its values become JSON. */
export interface OracleColumn {
  name: string;
  /** SQL to select in place of the column, built from its quoted name. */
  sentAs: string;
  write: JsonValueWriter<unknown>;
}

const moment = 'YYYY-MM-DD HH24:MI:SS';

/**
 * Maps the driver's description of a column; `type` is the name of its database type. Dates and times would arrive as
 * JavaScript dates in this machine's time zone, in which some of them do not exist: they are read as text. Numbers are
 * read as text by the driver itself.
 */
export function oracleColumn(name: string, type: string): OracleColumn {
  const quoted = `"${name}"`;
  const asMoment = (form: string) => ({ name, sentAs: `TO_CHAR(${quoted}, '${form}')`, write: momentText });
  switch (type) {
    case 'NUMBER':
      return { name, sentAs: quoted, write: numberText };
    case 'BINARY_FLOAT':
    case 'BINARY_DOUBLE':
      return { name, sentAs: quoted, write: (value) => (Number.isFinite(value) ? String(value) : 'null') };
    case 'DATE':
      return asMoment(moment);
    case 'TIMESTAMP':
      return asMoment(`${moment}.FF9`);
    case 'TIMESTAMP WITH TIME ZONE':
    case 'TIMESTAMP WITH LOCAL TIME ZONE':
      return asMoment(`${moment}.FF9TZH:TZM`);
    case 'INTERVAL DAY TO SECOND':
    case 'INTERVAL YEAR TO MONTH':
      return { name, sentAs: `TO_CHAR(${quoted})`, write: plainText };
    case 'BOOLEAN':
      return { name, sentAs: quoted, write: String };
    default:
      return { name, sentAs: quoted, write: plainText };
  }
}

/** Oracle may omit the zero before the decimal point. */
function numberText(value: unknown): string {
  return String(value).replace(/^(-?)\./, '$10.');
}

function momentText(value: unknown): string {
  return JSON.stringify(withoutZeros(String(value)));
}
