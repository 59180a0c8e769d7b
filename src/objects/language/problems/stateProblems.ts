import type { Node } from 'jsonc-parser';
import { fieldOf } from '../../json.ts';
import { fieldNode, propertyOf, replacement, textAt } from '../jsonText.ts';
import type { ReferenceKind } from '../knownObjects.ts';
import type { Fix, Problem, ProblemContext } from './problem.ts';
import { kindWord } from '../kindWord.ts';
import { isSameLabel, labelKey } from '../../placeholders.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Objects with an unexpected effect: policies that restrict no one, folders visible to everyone. */
export function stateProblems(context: ProblemContext): Problem[] {
  switch (context.kind.name) {
    case 'policy':
      return policyProblems(context);
    case 'folder':
      return folderProblems(context);
    case 'tag':
      return tagProblems(context);
    default:
      return [];
  }
}

function policyProblems({ document, id }: ProblemContext): Problem[] {
  const { root } = document;
  const active = fieldNode(root, 'isActive');
  if (!active || active.value !== true) return [];
  const deactivate: Fix = { title: l10n.t('Deactivate the policy'), changes: [replacement(active, false)] };
  const assign: Fix = { title: l10n.t('Assign to groups and users…'), changes: [], command: 'analytics.policy.assign' };
  const problems: Problem[] = [];
  if (isEmpty(root, 'Groups') && isEmpty(root, 'Users')) {
    problems.push({
      code: 'unassignedPolicy',
      severity: 'warning',
      ...nameSpan(root, 'Groups', active),
      message: l10n.t('The policy is active but not assigned: it restricts no one.'),
      // A policy that is not created yet cannot be assigned.
      fixes: id === undefined ? [deactivate] : [deactivate, assign],
    });
  }
  if (isEmpty(root, 'Constraints')) {
    problems.push({
      code: 'policyWithoutConstraints',
      severity: 'warning',
      ...nameSpan(root, 'Constraints', active),
      message: l10n.t('The policy is active but has no conditions: it hides no rows.'),
      fixes: [deactivate],
    });
  }
  return problems;
}

function folderProblems({ document, id }: ProblemContext): Problem[] {
  const { root } = document;
  const permissions = fieldNode(root, 'Permissions');
  if (!permissions || fieldNode(root, 'isPersonalFolder')?.value === true) return [];
  if (!isEmpty(root, 'Permissions')) return unusedInheritance(root);
  // The root folders of the library are open to All Users by design.
  if (textAt(fieldNode(root, 'ParentLibrary')) === '' && typeof fieldNode(root, 'ParentLibrary')?.value !== 'number')
    return [];
  // The group cannot be guessed: a wrong one would show the folder to other users.
  const choose: Fix = {
    title: l10n.t('Select groups with access…'),
    changes: [],
    command: 'analytics.folder.setPermissions',
  };
  return [
    {
      code: 'folderForAllUsers',
      severity: 'information',
      ...nameSpan(root, 'Permissions', permissions),
      message: whoSees(root),
      fixes: id === undefined ? [] : [choose],
    },
  ];
}

/** A restricted folder says that it inherits; that applies after its last group is removed. */
function unusedInheritance(folder: Node | undefined): Problem[] {
  const inherits = fieldNode(folder, 'InheritPermissions');
  if (inherits?.value !== true) return [];
  return [
    {
      code: 'unusedInheritance',
      severity: 'information',
      offset: inherits.offset,
      length: inherits.length,
      message: l10n.t('Not in effect: only the groups in Permissions see the folder. It applies if they are removed.'),
      fixes: [],
    },
  ];
}

/** Who can see a folder without groups. */
function whoSees(folder: Node | undefined): string {
  if (fieldNode(folder, 'isRestricted')?.value === true) {
    return l10n.t('The groups of this folder no longer exist. Only super-admins can see it.');
  }
  if (fieldNode(folder, 'InheritPermissions')?.value === true) {
    return l10n.t('The folder has no groups of its own, so everyone who sees the parent folder sees it.');
  }
  return l10n.t('The folder has no groups of its own, so All Users see it.');
}

function tagProblems(context: ProblemContext): Problem[] {
  return [...renamedTag(context), ...tagWithoutValue(context)];
}

/** A changed label that policies still refer to by the old one. */
function renamedTag({ document, base, facts }: ProblemContext): Problem[] {
  const node = fieldNode(document.root, 'Label');
  const before = base && fieldOf(base, 'Label');
  if (!node || typeof before !== 'string' || isSameLabel(before, textAt(node))) return [];
  const policies = [...(facts.objects('policy')?.values() ?? [])];
  const using = policies.filter(({ policy }) => policy?.tagLabels.includes(labelKey(before)));
  if (using.length === 0) return [];
  const names = using.map(({ name }) => name).join(', ');
  return [
    {
      code: 'renamedTag',
      severity: 'warning',
      offset: node.offset,
      length: node.length,
      message: l10n.t(
        'The policies {0} compare with /#{1}#/. Until they name the new label, they hide all rows, or reports fail.',
        names,
        before,
      ),
      fixes: [{ title: l10n.t('Change to {0}', before), changes: [replacement(node, before)] }],
    },
  ];
}

function tagWithoutValue({ document, id }: ProblemContext): Problem[] {
  const { root } = document;
  const byDefault = fieldNode(root, 'DefaultValue');
  if (!byDefault || textAt(byDefault) !== '') return [];
  const values: Fix = {
    title: l10n.t('Edit values of groups and users…'),
    changes: [],
    command: 'analytics.tag.editValues',
  };
  return [
    {
      code: 'tagWithoutValue',
      severity: 'information',
      ...nameSpan(root, 'DefaultValue', byDefault),
      message: l10n.t(
        'Without a default, users without a value of their own see no row that a policy compares with this tag.',
      ),
      fixes: id === undefined ? [] : [values],
    },
  ];
}

/** Another object of the kind with the same name. */
export function duplicateNames({ document, kind, id, facts, server }: ProblemContext): Problem[] {
  const { nameField } = kind;
  const listed = referenceKindOf(kind.name);
  if (nameField === undefined || listed === undefined) return [];
  const node = fieldNode(document.root, nameField);
  const name = textAt(node).trim().toLowerCase();
  if (!node || name === '') return [];
  const objects = [...(facts.objects(listed)?.values() ?? [])];
  const other = objects.find((object) => object.id !== id && object.name.trim().toLowerCase() === name);
  if (!other) return [];
  const free = freeName(textAt(node), new Set(objects.map((object) => object.name.toLowerCase())));
  return [
    {
      code: 'duplicateName',
      severity: 'warning',
      offset: node.offset,
      length: node.length,
      message: l10n.t('Another {0} on {1} has this name (ID {2}).', kindWord(listed), server, other.id),
      fixes: [{ title: l10n.t('Rename to {0}', free), changes: [replacement(node, free)] }],
    },
  ];
}

/** The reference kind for a document's kind; undefined for folders and reports, whose names may repeat. */
export function referenceKindOf(kind: string): ReferenceKind | undefined {
  return kind === 'group' || kind === 'user' || kind === 'tag' || kind === 'policy' ? kind : undefined;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const candidate = `${name} ${number}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

function isEmpty(root: Node | undefined, field: string): boolean {
  const list = fieldNode(root, field);
  return !list || list.type === 'null' || (list.type === 'array' && (list.children ?? []).length === 0);
}

/** Range of a field's name, or of `other` if the document does not have the field. */
function nameSpan(root: Node | undefined, field: string, other: Node): { offset: number; length: number } {
  const { offset, length } = propertyOf(root, field)?.children?.[0] ?? other;
  return { offset, length };
}
