import { expect, it } from 'vitest';
import type { ImportRowView } from '../../../../src/features/userImport/pageContract.ts';
import { outcomeCsv } from '../../../../src/features/userImport/csvText.ts';

const row = (line: number, loginName: string, reason = ''): ImportRowView => ({
  line,
  loginName,
  name: '',
  email: '',
  groups: '',
  role: '',
  look: 'failed',
  status: 'Refused',
  reason,
});

it('tells what became of each row, and holds nothing that a spreadsheet would run', () => {
  expect(
    outcomeCsv([row(2, 'ada'), row(3, '=HYPERLINK("http://x")', 'The server said "no", twice.'), row(4, '-1', 'a\nb')]),
  ).toBe(
    [
      'Line,LoginName,Status,Reason',
      '2,ada,Refused,',
      '3,"\'=HYPERLINK(""http://x"")",Refused,"The server said ""no"", twice."',
      '4,-1,Refused,"a\nb"',
      '',
    ].join('\r\n'),
  );
});
