import type { EndpointPath } from '../../contract/endpoints.ts';
import { dashboardItemType } from '../../contract/outputTypes.ts';
import { dashboard } from '../../contract/resources/dashboard.ts';
import * as l10n from '../../l10n/l10n.ts';
import { fieldOf, numberOrText, type JsonObject } from '../json.ts';
import { callForList, type ObjectServer } from '../objectServer.ts';
import { entriesOf, idOf, withRevision, type ObjectKind } from './objectKind.ts';
import { ownCall } from './ownCall.ts';

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
  read: (server, id) => call(server, 'Dashboard/GetDashboard', { DashboardId: id }),
  list: async (server) => {
    const items = await callForList(server, 'library/SearchReports', { searchstring: '' });
    const found = items.filter((item) => fieldOf(item, 'itemtype') === dashboardItemType);
    return entriesOf(server, 'library/SearchReports', found, { id: 'id', name: 'ReportName', detail: 'folderpath' });
  },
  template: async (server, parent) => {
    const template = await call(server, 'Dashboard/NewDashboard', {});
    return parent === undefined ? template : { ...template, folderid: numberOrText(parent) };
  },
  save: (server, full) => call(server, 'Dashboard/SaveDashboard', withRevision({ dashboard: full }, full)),
  remove: async (server, full) => {
    await server.call('Dashboard/DelDashboard', { DashboardId: idOf(dashboardKind, full) ?? '' });
  },
};

function call(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject> {
  return ownCall(server, path, body, {
    message: l10n.t('{0} does not support editing dashboards.', server.name),
    remedy: l10n.t('The API has no call for it. Edit dashboards in the pages of the server.'),
  });
}
