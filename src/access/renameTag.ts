import { parseValue, placeholderOf } from '../contract/placeholders.ts';
import { fieldOf, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import { dataTagKind, policyKind } from '../objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { isSameLabel } from '../objects/placeholders.ts';
import { changeObject } from '../objects/save/changeObject.ts';
import type { ConfirmWrite } from '../objects/save/saveObject.ts';
import { policiesComparingWith } from './policyReach.ts';
import { changing, type AccessEdit } from './rows/accessEdits.ts';

/** A data tag and its new label. */
export interface TagRename {
  readonly tagId: string;
  readonly from: string;
  readonly to: string;
}

/** Policies that compare with a tag, and the number of their placeholders. */
export interface TagUse {
  readonly policies: readonly { readonly id: string; readonly name: string }[];
  readonly placeholders: number;
}

/**
 * What compares with a tag by a label that differs from the new one; nothing if both mean the same tag.
 * @throws {ClientError} when the policies cannot be read.
 */
export async function tagUse(server: ObjectServer, { from, to }: TagRename): Promise<TagUse> {
  if (isSameLabel(from, to)) return { policies: [], placeholders: 0 };
  const using = await policiesComparingWith(server, from);
  const count = (value: Json | undefined): number => {
    if (typeof value === 'string') return parseValue(value).filter((part) => isOf(part, from)).length;
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + count(each), 0);
    return isJsonObject(value) ? count(Object.values(value)) : 0;
  };
  return {
    policies: using.map((policy) => ({ id: textField(policy, 'id'), name: textField(policy, 'Name') })),
    placeholders: using.reduce((sum, policy) => sum + count(fieldOf(policy, 'Constraints')), 0),
  };
}

/** The rename with the policies that use the tag, as an edit of what decides about rows. */
export function renamingTag(rename: TagRename, { policies }: TagUse): AccessEdit {
  const tag = changing('tag', [rename.tagId], (view) => ({ ...view, Label: rename.to }));
  const ids = policies.map(({ id }) => id);
  const using = changing('policy', ids, (policy) => withNewLabel(policy, rename));
  return (lists) => using(tag(lists));
}

/**
 * Renames a tag in policies, one after the other, and then the tag itself; each is read back. The tag comes last: after
 * a failure it still has its old label, so that the same rename finds what is left.
 * @param steps what asks before a policy is sent, and what is called after it.
 * @throws {ClientError} like {@link changeObject}.
 */
export async function renameTag(
  server: ObjectServer,
  rename: TagRename,
  { policies }: TagUse,
  steps: { confirm: () => ConfirmWrite; onRenamed: () => void },
): Promise<void> {
  for (const { id } of policies) {
    await changeObject(server, policyKind, id, (policy) => withNewLabel(policy, rename), steps.confirm());
    steps.onRenamed();
  }
  await changeObject(server, dataTagKind, rename.tagId, (tag) => ({ ...tag, Label: rename.to }));
}

function withNewLabel(policy: JsonObject, { from, to }: TagRename): JsonObject {
  const renamed = (value: Json): Json => {
    if (typeof value === 'string') {
      return parseValue(value)
        .map((part) => (isOf(part, from) ? placeholderOf(to) : part.text))
        .join('');
    }
    if (Array.isArray(value)) return value.map(renamed);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, renamed(field)]));
  };
  return { ...policy, Constraints: renamed(fieldOf(policy, 'Constraints') ?? []) };
}

function isOf(part: ReturnType<typeof parseValue>[number], label: string): boolean {
  return part.kind === 'placeholder' && isSameLabel(part.written, label);
}
