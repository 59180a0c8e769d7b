import { administrationSchema } from './administration/administrationSchema.ts';
import { catalogueSchema } from './catalogue/catalogueSchema.ts';
import { identitySchema } from './identity/identitySchema.ts';
import { librarySchema } from './library/librarySchema.ts';
import { sampleSchema } from './sample/sampleSchema.ts';
import { securitySchema } from './security/securitySchema.ts';
import { auditSchema } from './store/auditTrail.ts';
import type { RoomSchema } from './store/migrations.ts';
import { settingsSchema } from './store/settings.ts';

/** Tables of all rooms, in the order in which they refer to each other. */
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
