import { ClientError, isClientError } from '../../client/clientError.ts';
import type { EndpointPath } from '../../contract/endpoints.ts';
import { dashboardItemType } from '../../contract/outputTypes.ts';
import { dashboard } from '../../contract/resources/dashboard.ts';
import * as l10n from '../../l10n/l10n.ts';
import { fieldOf, numberOrText, type JsonObject } from '../json.ts';
import { callForList, callForObject, type ObjectServer } from '../objectServer.ts';
import { entriesOf, idOf, withRevision, type ObjectKind } from './objectKind.ts';

/**
 * Dashboards: the reports that they show side by side, in order. The API has no calls for them; those of the local
 * server are our own.
 */
export const dashboardKind: ObjectKind = {
  name: 'dashboard',
  icon: 'dashboard',
  idField: 'id',
  nameField: 'name',
  authorField: 'LastModifiedBy',
  folderField: 'folderid',
  schema: dashboard,
  shape: {
    hidden: ['ErrorCode', 'ErrorMessage', 'Revision'],
    readOnly: ['id', 'CreatedBy', 'LastModifiedBy', 'CreatedDate', 'LastModifiedDate'],
    fields: {
      CreatedBy: { shown: ['LoginName', 'FullName'] },
      LastModifiedBy: { shown: ['LoginName', 'FullName'] },
    },
  },
  requiredLists: ['reports'],
  read: (server, id) => ownCall(server, 'Dashboard/GetDashboard', { DashboardId: id }),
  list: async (server) => {
    const items = await callForList(server, 'library/SearchReports', { searchstring: '' });
    const found = items.filter((item) => fieldOf(item, 'itemtype') === dashboardItemType);
    return entriesOf(server, 'library/SearchReports', found, { id: 'id', name: 'ReportName', detail: 'folderpath' });
  },
  template: async (server, parent) => {
    const template = await ownCall(server, 'Dashboard/NewDashboard', {});
    return parent === undefined ? template : { ...template, folderid: numberOrText(parent) };
  },
  save: (server, full) => ownCall(server, 'Dashboard/SaveDashboard', withRevision({ dashboard: full }, full)),
  remove: async (server, full) => {
    await server.call('Dashboard/DelDashboard', { DashboardId: idOf(dashboardKind, full) ?? '' });
  },
};

/** Calls an endpoint of our own. @throws {ClientError} of kind notFound that says that the server lacks it. */
async function ownCall(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject> {
  try {
    return await callForObject(server, path, body);
  } catch (error) {
    if (!isClientError(error, 'notFound')) throw error;
    throw new ClientError('notFound', l10n.t('{0} does not support editing dashboards.', server.name), {
      ...{ server: server.name, endpoint: path, cause: error },
      remedy: l10n.t('The API has no call for it. Edit dashboards in the pages of the server.'),
    });
  }
}
