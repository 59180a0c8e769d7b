import { auditNotes, serverNotes, settingsNotes, smtpNotes } from './administrationNotes.ts';
import { sayListed } from '../../l10n/l10n.ts';
import type { FieldChoice, FieldNote, FieldNotes } from './fieldNote.ts';
import { folderNotes, reportNotes, reportTypeNotes } from './libraryNotes.ts';
import { groupNotes, policyNotes, tagNotes, userNotes } from './securityNotes.ts';

const notesByKind = new Map<string, FieldNotes>([
  ['policy', policyNotes],
  ['tag', tagNotes],
  ['group', groupNotes],
  ['user', userNotes],
  ['profile', userNotes],
  ['folder', folderNotes],
  ['report', reportNotes],
  ['server', serverNotes],
  ['reporttype', reportTypeNotes],
  ['smtp', smtpNotes],
  ['settings', settingsNotes],
  ['audit', auditNotes],
]);

/** The note, in the language of the editor, on a field of a kind, by its path such as `Groups.GroupId`; undefined where there is none. */
export function noteOf(kind: string, path: string): FieldNote | undefined {
  const notes = notesByKind.get(kind);
  const note = notes && Object.hasOwn(notes, path) ? notes[path] : undefined;
  if (note === undefined) return undefined;
  if (typeof note === 'string') return { text: sayListed(note) };
  return { ...note, text: sayListed(note.text), ...(note.choices && { choices: note.choices.map(translated) }) };
}

function translated({ value, meaning, detail }: FieldChoice): FieldChoice {
  const words = sayListed(meaning);
  return { value, meaning: detail === undefined ? words : `${words} (${sayListed(detail)})` };
}

/** Paths of a kind that have a note. */
export function notedPaths(kind: string): string[] {
  return Object.keys(notesByKind.get(kind) ?? {});
}
