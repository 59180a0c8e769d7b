import { auditKind, registeredServerKind, settingsKind, smtpKind } from './administrationKinds.ts';
import { dashboardKind } from './dashboardKind.ts';
import { licenceKind } from './licenceKind.ts';
import { folderKind, reportKind } from './libraryKinds.ts';
import { reportTypeKind } from './reportTypeKind.ts';
import { dataTagKind, groupKind, policyKind, profileKind, userKind } from './securityKinds.ts';
import type { ObjectKind } from './objectKind.ts';

/** Every kind of object that can be opened as a document. */
export const objectKinds: readonly ObjectKind[] = [
  policyKind,
  dataTagKind,
  groupKind,
  userKind,
  profileKind,
  folderKind,
  reportKind,
  dashboardKind,
  registeredServerKind,
  reportTypeKind,
  smtpKind,
  settingsKind,
  auditKind,
  licenceKind,
];

/** Finds the kind with `name` in URIs and file names. */
export function findKind(name: string): ObjectKind | undefined {
  return objectKinds.find((kind) => kind.name === name);
}
