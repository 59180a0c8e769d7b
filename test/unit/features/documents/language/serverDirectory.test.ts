import { expect, it } from 'vitest';
import { Lookup } from '../../../../../src/features/documents/language/lookup.ts';
import { ServerDirectory } from '../../../../../src/features/documents/language/serverDirectory.ts';
import type { Call } from '../../../../../src/objects/language/knownObjects.ts';

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

/** A directory of a server with two databases; the calls that it makes. */
function directoryOf(state = { kind: 'active' }) {
  const calls: string[] = [];
  const answer = async (path: string, body: { RegServerID?: string; TableOwner?: string }) => {
    calls.push(path);
    if (path === 'RegServers/GetAdminRegisteredServers') {
      return ['Main', 'Other'].map((DisplayName, at) => ({
        ID: `${at + 8}`,
        DisplayName,
        service: { ID: `${at}`, Name: `Shop ${at}`, ModuleType: 'ANYDB' },
      }));
    }
    if (path === 'RegServers/GetReportTree') {
      const text = `Of ${body.RegServerID}`;
      return { rootnode: { children: [{ text, dbfieldname: 'a', dbtablealias: 't' }] } };
    }
    return [];
  };
  const client = async () => ({ call: answer as unknown as Call });
  const connection = { id: 'c', name: 'Server', kind: 'remote' as const, state, client };
  return { directory: new ServerDirectory(connection, () => undefined), calls, state };
}

it('finds the database of a report by its name or id whatever the case, else by its application', async () => {
  const { directory } = directoryOf();
  const serverOf = async (serverName: string, application = '') =>
    (await directory.serverOf({ reportType: 'T', serverName, application }, 'document'))?.id;
  expect(await Promise.all([serverOf('MAIN '), serverOf('9'), serverOf('gone', 'shop 1')])).toEqual(['8', '9', '9']);
  expect(await serverOf('gone', 'gone')).toBeUndefined();
});

it('keeps report types of one name apart by their database, and reads them again once report types have changed', async () => {
  const { directory, calls } = directoryOf();
  const servers = await directory.objects('server', 'document');
  const names = async (id: string) => {
    const server = servers?.get(id);
    return server && (await directory.reportFields(server, 'T', 'document'))?.map(({ name }) => name);
  };
  expect([await names('8'), await names('9'), await names('8')]).toEqual([['Of 8'], ['Of 9'], ['Of 8']]);
  expect(calls).toHaveLength(3);
  directory.forget(['report', 'server'], false);
  await names('8');
  expect(calls).toHaveLength(3);
  directory.forget([], true);
  await names('8');
  expect(calls).toHaveLength(4);
});

it('asks nothing while nobody is signed in, and knows nothing of the account before', async () => {
  const { directory, calls, state } = directoryOf();
  await directory.objects('server', 'document');
  expect(directory.facts().objects('server')?.size).toBe(2);
  directory.clear();
  expect(directory.facts().objects('server')).toBeUndefined();
  state.kind = 'signedOut';
  expect(await directory.objects('server', 'document')).toBeUndefined();
  expect(calls).toHaveLength(1);
});

it('gives up what it was reading for the account before', async () => {
  const signals: AbortSignal[] = [];
  const call = (_path: string, _body: object, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
  };
  const client = async () => ({ call: call as unknown as Call });
  const connection = { id: 'c', name: 'Server', kind: 'remote' as const, state: { kind: 'active' }, client };
  const directory = new ServerDirectory(connection, () => undefined);
  const groups = directory.objects('group', 'document');
  await expect.poll(() => signals).toHaveLength(1);
  directory.clear();
  expect(signals[0]?.aborted).toBe(true);
  expect(await groups).toBeUndefined();
});

it('tells tables of one name apart by their owner', async () => {
  const { directory, calls } = directoryOf();
  for (const owner of ['a', 'b', 'a']) await directory.tableColumns('8', { owner, name: 't' }, 'document');
  expect(calls).toHaveLength(2);
  const { tableColumns } = directory.facts(undefined, '8');
  expect([tableColumns?.('a', 't'), tableColumns?.('c', 't')]).toEqual([[], undefined]);
});

it('knows the columns that constraints compare, in the databases of their application, on the embedded server alone', async () => {
  const asked: unknown[] = [];
  const product = (ID: string) => ({ ID, Name: `App ${ID}`, ModuleType: 'AnyDB', isAnyDbApp: true });
  const answers: Record<string, (body: object) => unknown> = {
    'RegServers/GetAdminRegisteredServers': () =>
      ['7', '8'].map((id) => ({
        ID: `1${id}`,
        DisplayName: `Server ${id}`,
        DatabasePlatform: 'sqlite',
        izApp: product(id),
      })),
    'AppBuilder/GetTableDef': (body) => {
      asked.push(body);
      return [{ columnname: 'made', datatype: 'INTEGER' }];
    },
  };
  const client = async () => ({
    call: (async (path: string, body: object) => answers[path]?.(body)) as unknown as Call,
  });
  const films = (moduleId: string) => ({ moduleId, owner: 'main', name: 'films' });
  const of = (kind: 'local' | 'remote') =>
    new ServerDirectory({ id: 'c', name: 'Server', kind, state: { kind: 'active' }, client }, () => undefined);

  const local = of('local');
  await local.constraintTables([films('8'), { ...films('7'), name: '' }], 'document');
  expect(asked).toEqual([{ tablename: 'films', tableowner: 'main', regserverid: '18' }]);
  const described = { server: 'Server 8', platform: 'sqlite', columns: [{ name: 'made', type: 'INTEGER' }] };
  const { describedTables } = local.facts();
  expect([describedTables?.(films('8')), describedTables?.(films('7'))]).toEqual([[described], []]);
  await local.constraintTables([films('')], 'document');
  expect(local.facts().describedTables?.(films(''))).toEqual([{ ...described, server: 'Server 7' }, described]);
  expect(local.facts(undefined, '18').platform).toBe('sqlite');

  const remote = of('remote');
  await remote.constraintTables([films('8')], 'document');
  expect(asked).toHaveLength(2);
});

it('takes no answer of a reading that was overtaken or that nobody waits for', async () => {
  const answers: ((value: string) => void)[] = [];
  let changes = 0;
  const lookup = new Lookup(
    () => new Promise<string>((resolve) => answers.push(resolve)),
    () => void changes++,
  );
  const first = lookup.need('document');
  lookup.forget();
  const second = lookup.need('document');
  answers[1]?.('new');
  await second;
  answers[0]?.('old');
  await first;
  expect([lookup.value, changes]).toEqual(['new', 1]);
  lookup.forget();
  const third = lookup.need('document');
  lookup.release('document');
  answers[2]?.('late');
  await third;
  expect([lookup.value, changes]).toEqual(['new', 1]);
});
