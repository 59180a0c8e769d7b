import type { EndpointPath } from '../../contract/endpoints.ts';
import { licence } from '../../contract/resources/licence.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { JsonObject } from '../json.ts';
import type { ObjectServer } from '../objectServer.ts';
import type { ObjectKind } from './objectKind.ts';
import { ownCall } from './ownCall.ts';

/**
 * The licence of the local server, to rehearse full seats and an expired licence. The API has no calls for it; those of
 * the local server are our own.
 */
export const licenceKind: ObjectKind = {
  name: 'licence',
  icon: 'key',
  idField: 'Licence',
  nameField: undefined,
  schema: licence,
  shape: {
    hidden: ['ErrorCode', 'ErrorMessage'],
    fields: {
      Applications: { key: 'ApplicationID', readOnly: ['ApplicationID', 'ApplicationName', 'TakenSeats'] },
    },
  },
  requiredLists: ['Applications'],
  read: (server) => call(server, 'LicenseManager/GetLicence', {}),
  save: (server, full) => call(server, 'LicenseManager/SaveLicence', { licence: full }),
};

function call(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject> {
  return ownCall(server, path, body, {
    message: l10n.t('{0} does not let administrators change its licence: only the local server does.', server.name),
    remedy: l10n.t('Rehearse licence states on the local server.'),
  });
}
