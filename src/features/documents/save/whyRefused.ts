import { isClientError } from '../../../client/clientError.ts';
import { whyAudienceStays } from '../../../access/folderReach.ts';
import { isFolderGone, isGone } from '../../../objects/save/goneObjects.ts';
import type { JsonObject } from '../../../objects/json.ts';
import type { ObjectKind } from '../../../objects/kinds/objectKind.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { say } from '../../../l10n/l10n.ts';
import { isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import { whyNothingWasSent } from './saveWords.ts';

/** A save that failed. `base` is the view that the edit started from; undefined for a new object. */
interface RefusedSave {
  server: ObjectServer;
  kind: ObjectKind;
  target: DocumentTarget;
  mine: JsonObject;
  base: JsonObject | undefined;
}

/** Why a save failed: servers say in words of their own, or not at all, that something is not there any more. */
export async function whyRefused(error: unknown, { server, kind, target, mine, base }: RefusedSave): Promise<string> {
  const isNew = isNewObject(target);
  if (!isNew && isClientError(error, 'refused') && (await isGone(server, kind, target.id))) {
    return say(
      'it is not there any more: somebody deleted it, or it is hidden from this account. Your text is kept here; to create it again, copy it into a new object.',
    );
  }
  const isDenied = isClientError(error, 'refused') || isClientError(error, 'noPermission');
  if (isNew && isDenied && (await isFolderGone(server, kind, mine))) {
    return say(
      'the folder that it was to go into is not there any more: somebody deleted it, or it is hidden from this account. Your text is kept here; give it the id of another folder.',
    );
  }
  const unchangeable = isDenied && kind.name === 'folder' && base ? whyAudienceStays(base, mine) : undefined;
  if (unchangeable !== undefined) return `${unchangeable} ${whyNothingWasSent(error)}`;
  return whyNothingWasSent(error);
}
