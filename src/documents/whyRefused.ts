import { isClientError } from '../client/clientError.ts';
import type { ObjectKind } from '../objects/objectKind.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { say } from '../words/say.ts';
import { isNewObject, type DocumentTarget } from './documentUri.ts';
import { whyNothingWasSent } from './saveWords.ts';

/** Why a save failed: servers say in words of their own, or not at all, that an object is not there any more. */
export async function whyRefused(
  error: unknown,
  { server, kind, target }: { server: ObjectServer; kind: ObjectKind; target: DocumentTarget },
): Promise<string> {
  const isRefused = isClientError(error, 'refused') && !isNewObject(target);
  if (!isRefused || !(await isGone(server, kind, target.id))) return whyNothingWasSent(error);
  return say(
    'it is not there any more: somebody deleted it, or it is hidden from this account. Your text is kept here; to create it again, copy it into a new object.',
  );
}

/** Whether the server lists objects of a kind, and this one is not among them. */
export async function isGone(server: ObjectServer, kind: ObjectKind, id: string): Promise<boolean> {
  try {
    const entries = (await kind.list?.(server)) ?? [];
    return entries.length > 0 && !entries.some((entry) => entry.id === id);
  } catch {
    // What was refused before says more than that.
    return false;
  }
}
