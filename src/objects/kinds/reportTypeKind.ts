import { ClientError } from '../../client/clientError.ts';
import { otherObjectError } from '../../client/http/endpointCall.ts';
import { productKey } from '../../contract/resources/application.ts';
import { reportTypeDefinition } from '../../contract/resources/semanticLayer.ts';
import { fieldOf, identifierText, isJsonObject, numberOrText, type JsonObject } from '../json.ts';
import { textField, type ObjectEntry } from './objectEntry.ts';
import { withRevision, type ObjectKind } from './objectKind.ts';
import { reportTypeDocumentId, type ReportTypePlace } from './reportTypeId.ts';
import { callForList, callForObject, type ObjectServer } from '../objectServer.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Field of a report type with the rest of its module, so that a save sends it back unchanged. */
const moduleField = 'anydbmodule';

/**
 * Report types of AnyDB applications. The API reads and writes whole modules; a save includes the edited report type
 * and leaves the others unchanged. API description, App builder and report types.
 */
export const reportTypeKind: ObjectKind = {
  name: 'reporttype',
  icon: 'list-tree',
  idField: 'RepTypeID',
  nameField: 'RepTypeName',
  schema: reportTypeDefinition,
  shape: { hidden: ['ErrorCode', 'Revision', moduleField], readOnly: ['Moduleid', 'RepTypeID'] },
  placeFields: ['Moduleid'],
  read: async (server, id) => {
    const { place, reportTypeId } = placeOf(server, id);
    const { reportTypes, rest } = await readModule(server, place);
    const found = reportTypes.find((entry) => identifierText(fieldOf(entry, 'RepTypeID')) === reportTypeId);
    if (found) {
      // Otherwise a report type of another application with the same id would be changed.
      const answered = identifierText(fieldOf(found, 'Moduleid')) ?? '';
      const { moduleId: asked } = place;
      const isOther = !['', '0', asked].includes(answered);
      if (isOther) throw otherObjectError(server.name, 'AppBuilder/GetAnyDbModule', { asked, answered });
      return { ...found, [moduleField]: rest };
    }
    throw new ClientError(
      'refused',
      l10n.t('{0} no longer has the report type {1}. It was deleted.', server.name, reportTypeId),
      {
        server: server.name,
        endpoint: 'AppBuilder/GetAnyDbModule',
      },
    );
  },
  list: async (server) => (await Promise.all((await places(server)).map((place) => listOf(server, place)))).flat(),
  template: async (server, parent) => {
    const all = await places(server);
    const place = all.find(({ regServerId }) => parent === undefined || regServerId === parent);
    if (!place) {
      throw new ClientError(
        'refused',
        l10n.t('You cannot see any database on {0} to add a report type to.', server.name),
        {
          server: server.name,
          endpoint: 'AppBuilder/GetAnyDbModulesList',
          remedy: l10n.t('First register a database server for an application.'),
        },
      );
    }
    const { rest } = await readModule(server, place);
    return {
      RepTypeID: 0,
      Moduleid: numberOrText(place.moduleId),
      RepTypeName: l10n.t('New Report Type'),
      SQLTables: [],
      FieldTree: [],
      [moduleField]: rest,
    };
  },
  // An application's report types are listed for each of its databases.
  parentOf: (id) => id.split('.')[0],
  save: saveReportType,
};

/** Sends the one report type in its module. The reply is a number, so the id of a new one is looked up by name. */
async function saveReportType(server: ObjectServer, full: JsonObject): Promise<JsonObject> {
  const { [moduleField]: rest, ...definition } = full;
  // Also for a new one, since the module may have other content on the server.
  const anydbmodule = { ...(isJsonObject(rest) ? rest : {}), ReportTypes: [definition] };
  await server.call('AppBuilder/SaveAnyDbModule', withRevision({ anydbmodule }, full));
  return definition;
}

async function readModule(server: ObjectServer, { regServerId, moduleId }: ReportTypePlace) {
  const body = { moduleid: moduleId, regserverid: regServerId };
  const { ReportTypes, ...rest } = await callForObject(server, 'AppBuilder/GetAnyDbModule', body);
  return { reportTypes: Array.isArray(ReportTypes) ? ReportTypes.filter(isJsonObject) : [], rest };
}

/** Every registered server of AnyDB applications, with its module. */
async function places(server: ObjectServer): Promise<(ReportTypePlace & { moduleType: string; name: string })[]> {
  const servers = await callForList(server, 'AppBuilder/GetAnyDbModulesList', {});
  return servers.flatMap((entry) => {
    const key = productKey(entry);
    const product = key === undefined ? undefined : fieldOf(entry, key);
    const moduleId = isJsonObject(product) ? identifierText(fieldOf(product, 'ID')) : undefined;
    const regServerId = identifierText(fieldOf(entry, 'ID'));
    if (moduleId === undefined || regServerId === undefined) return [];
    return [
      { regServerId, moduleId, moduleType: textField(entry, 'ModuleType'), name: textField(entry, 'DisplayName') },
    ];
  });
}

async function listOf(
  server: ObjectServer,
  place: ReportTypePlace & { moduleType: string; name: string },
): Promise<ObjectEntry[]> {
  const body = { ModuleType: place.moduleType, RegServerID: place.regServerId, ReportModuleID: place.moduleId };
  const types = await callForList(server, 'RegServers/GetReportTypes', body);
  return types.flatMap((type) => {
    const id = identifierText(fieldOf(type, 'reporttypeid'));
    return id === undefined
      ? []
      : [{ id: reportTypeDocumentId(place, id), name: textField(type, 'name'), detail: place.name }];
  });
}

function placeOf(server: ObjectServer, id: string): { place: ReportTypePlace; reportTypeId: string } {
  const [regServerId, moduleId, reportTypeId] = id.split('.');
  if (regServerId && moduleId && reportTypeId) return { place: { regServerId, moduleId }, reportTypeId };
  throw new ClientError(
    'refused',
    l10n.t('{0} does not identify a report type: server, application and report type are required.', id),
    {
      server: server.name,
    },
  );
}
