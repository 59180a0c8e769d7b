import type { ListName } from '../../../src/editor/nodes/treeNode.ts';

/** Where a row of the sidebar is: a list or the public library, and the names on the way down. */
export type Place = readonly [list: ListName | 'library', ...names: string[]];

export type Fields = Record<string, unknown>;

/** Answers of a step: labels to choose, in lists and as buttons; texts to type, in order. */
export interface Answers {
  readonly picks?: readonly (string | readonly string[])[];
  readonly types?: readonly string[];
}

/** Values of a tag by names of groups and users. */
export interface TagValues {
  readonly groups?: Readonly<Record<string, string>>;
  readonly users?: Readonly<Record<string, string>>;
}

/** The administrator of a tenant's day: by modules with the fake editor, or by mouse and keys in the workbench. */
export interface TenantPerson {
  /** Runs a command of the menu of a row, or of the palette. Questions are answered by what the step has for them. */
  runs(command: string, place?: Place): Promise<void>;
  /** Drags a row onto another. */
  drags(from: Place, onto: Place): Promise<void>;
  /** Opens the document of a row, changes fields and saves. @param meanwhile what happens between the change and the save. */
  edits(place: Place, change: (present: Fields) => Fields, meanwhile?: () => Promise<void>): Promise<void>;
  /** Changes fields of the document in front, and saves it. */
  saves(change: (present: Fields) => Fields): Promise<void>;
  /** Sets values of a tag on its page. */
  values(tag: string, wanted: TagValues): Promise<void>;
  /** Imports lines of CSV. @returns what became of each row. */
  imports(...lines: string[]): Promise<string[]>;
  /** Login names below the licences. */
  seatHolders(): Promise<string[]>;
  /** What another administrator changes in a policy. */
  colleagueChanges(policy: string, fields: Readonly<Record<string, string | boolean>>): Promise<void>;
}
