import { expect, it } from 'vitest';
import { createObject } from '../../../../src/objects/save/createObject.ts';
import { parseExact, type Json } from '../../../../src/objects/json.ts';
import { reportTypeKind } from '../../../../src/objects/kinds/reportTypeKind.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';

/** What a server keeps in a module beside its report types; the API leaves it open. */
const rest = {
  DBSQLTableList: { AllDbtables: [{ tablename: 'flights', kept: 9007199254740991 }] },
  isExcelCSV: true,
  later: [1, null, ''],
};

it('a new report type is sent in the module of its database, which stays as it came', async () => {
  const saves: Json[] = [];
  const server: ObjectServer = {
    name: 'S',
    installation: async () => '1',
    call: async (path, body) => {
      const names = saves.length === 0 ? [] : [{ reporttypeid: 9, name: 'Delays' }];
      switch (path) {
        case 'AppBuilder/GetAnyDbModulesList':
          return ['2', '3'].map((ID) => ({ ID, ModuleType: 'ANYDB', service: { ID: '7', ModuleType: 'ANYDB' } }));
        case 'AppBuilder/GetAnyDbModule':
          expect(body).toEqual({ moduleid: '7', regserverid: '3' });
          return { ReportTypes: [{ RepTypeID: 9, RepTypeName: 'Delays' }], ...rest };
        case 'RegServers/GetReportTypes':
          return names;
        default:
          saves.push(parseExact(JSON.stringify(body)));
          return 1;
      }
    },
  };
  const view = { RepTypeID: 0, Moduleid: 7, RepTypeName: 'Delays', SQLTables: [], FieldTree: [] };
  await createObject(server, { kind: reportTypeKind, view, parent: '3', askSecret: async () => '' });
  expect(saves).toEqual([{ anydbmodule: { ...rest, ReportTypes: [view] } }]);
});
