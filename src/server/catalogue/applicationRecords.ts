import type { Application, Product, RegisteredServer } from '../../contract/resources/application.ts';
import type { User } from '../../contract/resources/user.ts';
import { licenceOf, seatsOf } from '../identity/licences.ts';
import type { Store } from '../store/store.ts';
import { findApplication, type StoredApplication } from './applications.ts';
import { serversOf, type StoredServer } from './registeredServers.ts';

/** Key of this server's product object; clients find it by its shape. */
export const productKey = 'service';

/** The product object of an application. API description, Application. */
export function productRecord(application: StoredApplication): Product {
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    ID: application.id,
    Name: application.name,
    ModuleType: application.moduleType,
    ProductCode: application.productCode,
    isAnyDbApp: application.isAnyDb,
    isPremiumApp: false,
    isAPIApp: false,
  };
}

/** Defaults for fields of a registered server that were not sent. */
const unsetFields: RegisteredServer = {
  TimeZone: 0,
  DaylightSavings: false,
  timezonename: '',
  DatabaseOwner: '',
  DatabaseServer: '',
  DatabaseLogin: '',
  DatabaseName: '',
  DatabaseDriver: '',
  DatabasePlatform: '',
  CommandTimeout: 30,
  ConnectionTimeout: 10,
  Permissions: [],
  MappedAnyDB: '',
  DisplayName: '',
  allowstoredproc: 0,
  allowdirectsql: 0,
  datasources: [],
  additionalparams: '',
};

/** A registered server in its wire form; the password is always empty. API description, Registered server. */
export function serverRecord(store: Store, server: StoredServer): RegisteredServer {
  const application = findApplication(store, server.applicationId);
  if (!application) throw new Error(`Registered server ${server.id} belongs to no application`);
  return {
    ...unsetFields,
    ...server.definition,
    ErrorCode: 0,
    ErrorMessage: '',
    ID: server.id,
    [productKey]: productRecord(application),
    ModuleType: application.moduleType,
    DatabasePassword: '',
    Revision: server.revision,
  };
}

/** An application with its seats, members and servers. API description, Application. */
export function applicationRecord(
  store: Store,
  application: StoredApplication,
  members: User[],
): Application & Record<typeof productKey, Product> {
  const seats = seatsOf(store, application.id);
  const { isExpired } = licenceOf(store);
  return {
    [productKey]: productRecord(application),
    ModuleProfile: {
      isLicensed: true,
      LicensedQuanity: seats.licensed,
      ConsumedQuanity: seats.consumed,
      NextExpiration: isExpired ? '12/31/2000' : '12/31/9999',
      IsExpired: isExpired,
      ArchitectConsumptionCount: seats.architects,
      BuilderConsumptionCount: seats.builders,
      AgentConsumptionCount: seats.agents,
      Membership: members,
    },
    Status: 0,
    RegisteredServers: serversOf(store, application.id).map((server) => serverRecord(store, server)),
  };
}
