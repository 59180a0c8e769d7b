import { expect, it } from 'vitest';
import { ServerDirectory } from '../../../src/documents/language/serverDirectory.ts';
import type { Call } from '../../../src/objects/language/knownObjects.ts';

const field = (column: string) => ({ reportType: 'Flights', tableAlias: 'f', column, name: column });

it('reads the reports on a report type once for all fields, and again when a report has changed', async () => {
  let column = 'delay';
  const calls: string[] = [];
  const answer = async (path: string) => {
    calls.push(path);
    if (path === 'library/SearchReports') return [{ id: '1', ReportName: 'Late', ReportType: 'Flights', itemtype: 1 }];
    return { ReportType: 'Flights', FieldList: [{ fieldindex: 1, DbTableAlias: 'f', DbFieldName: column }] };
  };
  const client = async () => ({ call: answer as unknown as Call });
  const connection = { id: 'c', name: 'Server', kind: 'remote' as const, state: { kind: 'active' }, client };
  const directory = new ServerDirectory(connection, () => undefined);
  const users = (name: string) => directory.facts(undefined, '7').reportsUsing?.(field(name));

  expect(users('delay')).toBeUndefined();
  await directory.reportsOn('Flights', 'document');
  await directory.reportsOn('Flights', 'document');
  expect([users('delay'), users('state')]).toEqual([['Late'], []]);
  expect(calls).toHaveLength(2);

  column = 'state';
  directory.forget(['user'], false);
  await directory.reportsOn('Flights', 'document');
  expect(calls).toHaveLength(2);
  directory.forget(['folder', 'report'], false);
  await directory.reportsOn('Flights', 'document');
  expect([users('delay'), users('state')]).toEqual([[], ['Late']]);
});

it('knows what a linked report takes once its report type is read, and reads it again when a report has changed', async () => {
  let header = 'State';
  const answers: Record<string, () => unknown> = {
    'RegServers/GetAdminRegisteredServers': () => [{ ID: '8', DisplayName: 'Main' }],
    'RegServers/GetReportTree': () => ({
      rootnode: { children: [{ text: 'Delay', dbfieldname: 'delay', dbtablealias: 'f' }] },
    }),
    'Report/GetReport': () => ({
      Reportname: 'Airports',
      ReportType: 'Flights',
      ServerName: 'Main',
      FieldList: [{ RenamedField: 'st', DisplayFieldName: header }],
    }),
  };
  const client = async () => ({ call: (async (path: string) => answers[path]?.()) as unknown as Call });
  const connection = { id: 'c', name: 'Server', kind: 'remote' as const, state: { kind: 'active' }, client };
  const directory = new ServerDirectory(connection, () => undefined);
  const target = () => directory.facts().linkTarget?.('30');

  expect(target()).toBeUndefined();
  await directory.linkTarget('30', 'document');
  const fields = [{ alias: 'st', header: 'State' }];
  expect(target()).toMatchObject({ name: 'Airports', fields, labels: ['Delay'] });
  header = 'Home';
  directory.forget(['report'], false);
  await directory.linkTarget('30', 'document');
  expect(target()).toMatchObject({ fields: [{ alias: 'st', header: 'Home' }] });
});
