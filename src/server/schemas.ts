import { administrationSchema } from './administration/administrationHandlers.ts';
import { catalogueSchema } from './catalogue/applications.ts';
import { identitySchema } from './identity/identitySchema.ts';
import { librarySchema } from './library/librarySchema.ts';
import { sampleSchema } from './sample/seedSample.ts';
import { securitySchema } from './security/policies.ts';
import { auditSchema } from './store/auditTrail.ts';
import type { RoomSchema } from './store/migrations.ts';
import { settingsSchema } from './store/settings.ts';

/** Tables of all rooms, ordered so that references point to earlier ones. */
export const stateSchemas: readonly RoomSchema[] = [
  settingsSchema,
  auditSchema,
  identitySchema,
  securitySchema,
  librarySchema,
  catalogueSchema,
  administrationSchema,
  sampleSchema,
];
