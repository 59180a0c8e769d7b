import type { AuditType } from '../../contract/resources/administration.ts';
import type { Handlers, SignedInContext } from '../calls/handlers.ts';
import { adminOnly } from '../calls/permissions.ts';
import { refusal } from '../calls/wholeObject.ts';
import { auditSymbols, listAuditTypes, updateAuditType } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';

/** Handlers of the audit types. API description, Instance settings and audit. */
export const auditHandlers: Handlers = {
  'Audit/GetAuditTypes': adminOnly((_body, { store }) => auditRecords(store)),
  'Audit/SaveAuditTypes': adminOnly(({ AuditTypeList }: { AuditTypeList: AuditType[] }, context) =>
    saveAuditTypes(AuditTypeList, context),
  ),
};

/** Changes what is recorded and for how long; the array must hold every type, as it was read. */
function saveAuditTypes(sent: readonly AuditType[], context: SignedInContext): AuditType[] {
  const { store } = context;
  return store.transaction(() => {
    for (const stored of listAuditTypes(store)) {
      const change = sent.find(({ ID }) => ID === stored.id);
      if (!change) throw refusal(`Audit type ${stored.symbol} is missing: send the complete array.`);
      const recorded = change.recorded ?? stored.recorded;
      const retention = change.retention ?? stored.retention;
      if (recorded !== -1 && recorded !== 0) throw refusal(`${stored.symbol}: recorded must be -1 or 0.`);
      if (!Number.isInteger(retention) || retention < 1 || retention > 36_500) {
        throw refusal(`${stored.symbol}: retention must be 1 to 36500 days.`);
      }
      updateAuditType(store, stored.id, { recorded, retention, options: change.options ?? stored.options });
    }
    const unknown = sent.find(({ ID }) => !listAuditTypes(store).some(({ id }) => id === ID));
    if (unknown) throw refusal(`There is no audit type with the ID ${unknown.ID ?? '(none)'}.`);
    context.audit(auditSymbols.change, 'saved audit types');
    return auditRecords(store);
  });
}

function auditRecords(store: Store): AuditType[] {
  return listAuditTypes(store).map(({ id, ...type }) => ({ ID: id, ...type }));
}
