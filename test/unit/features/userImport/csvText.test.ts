import { describe, expect, it } from 'vitest';
import { csvText } from '../../../../src/features/userImport/csvText.ts';
import { readUserCsv } from '../../../../src/features/userImport/userCsv.ts';

const text = 'LoginName;LastName\njörg;Müller – Ørsted\n';
const bigEndian = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

describe('the text of a CSV file', () => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 as spreadsheets write it', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 with the high byte first', bigEndian],
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
    ['UTF-16 with the high byte first and no mark', Buffer.from(text, 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(text.replace('–', '\u0096'), 'latin1')],
  ])('is read from %s', (_, bytes) => {
    const { rows } = readUserCsv(csvText(bytes), { logins: new Set(), groups: new Set() });
    expect(rows).toMatchObject([{ loginName: 'jörg', lastName: 'Müller – Ørsted', problems: [] }]);
  });

  it('is empty for an empty file', () => expect(csvText(new Uint8Array())).toBe(''));
});
