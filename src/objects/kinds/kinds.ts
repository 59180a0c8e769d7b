import { auditKind, registeredServerKind, settingsKind, smtpKind } from './administrationKinds.ts';
import { folderKind, reportKind } from './libraryKinds.ts';
import { reportTypeKind } from './reportTypeKind.ts';
import { dataTagKind, groupKind, policyKind, profileKind, userKind } from './securityKinds.ts';
import type { ObjectKind } from './objectKind.ts';

/** Every kind of object that can be opened as a document, one row each. */
export const objectKinds: readonly ObjectKind[] = [
  policyKind,
  dataTagKind,
  groupKind,
  userKind,
  profileKind,
  folderKind,
  reportKind,
  registeredServerKind,
  reportTypeKind,
  smtpKind,
  settingsKind,
  auditKind,
];

/** The kind that URIs and file names call `name`. */
export function findKind(name: string): ObjectKind | undefined {
  return objectKinds.find((kind) => kind.name === name);
}
