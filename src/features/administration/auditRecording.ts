import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { auditKind } from '../../objects/kinds/administrationKinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { changeObject } from '../../objects/save/changeObject.ts';

/** `recorded` of an audit type. API description, Audit type. */
const recordedFlag = { on: -1, off: 0 } as const;

/** Changes to one audit type; omitted fields stay the same. */
export interface AuditChange {
  isRecorded?: boolean;
  /** Retention of entries, in days. */
  days?: number;
}

/**
 * Sets which audit types are recorded and for how long; audit types without changes stay the same.
 * @param changes by id of the audit type.
 * @throws {ClientError} like {@link changeObject}.
 */
export async function saveAuditTypes(server: ObjectServer, changes: ReadonlyMap<string, AuditChange>): Promise<void> {
  await changeObject(server, auditKind, auditKind.name, (view) => ({
    ...view,
    AuditTypes: typesOf(fieldOf(view, 'AuditTypes')).map((type) => {
      const change = changes.get(identifierText(fieldOf(type, 'ID')) ?? '');
      if (!change) return type;
      const { isRecorded: on, days } = change;
      return {
        ...type,
        ...(on !== undefined && { recorded: on ? recordedFlag.on : recordedFlag.off }),
        ...(days !== undefined && { retention: days }),
      };
    }),
  }));
}

function typesOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
