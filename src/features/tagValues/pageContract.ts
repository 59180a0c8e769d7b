import type { PageContract } from '../../contract/pages/channel.ts';

/** A group or user and its value of the tag; null where the default holds. */
export interface TagValueRow {
  id: string;
  name: string;
  detail: string;
  value: string | null;
}

/** The tag as it was read. */
export interface TagTable {
  /** Words such as `Values of /#state#/ on Local Server`. */
  title: string;
  defaultValue: string;
  groups: readonly TagValueRow[];
  users: readonly TagValueRow[];
}

/** One value to set: what the page was shown, and what it is to be. */
export interface TagValueChange {
  id: string;
  from: string | null;
  to: string | null;
}

/** What is to be saved. */
export interface TagTableChanges {
  defaultValue: { from: string; to: string } | null;
  groups: TagValueChange[];
  users: TagValueChange[];
}

/** Words of the page. `{0}` stands for what the page fills in. */
export interface TagValuesStrings {
  save: string;
  saveHint: string;
  /** The same on a Mac. */
  saveHintOnMac: string;
  reload: string;
  revert: string;
  find: string;
  defaultValue: string;
  defaultHelp: string;
  groups: string;
  users: string;
  name: string;
  value: string;
  /** Said of a value that is not saved yet. */
  edited: string;
  takesDefault: string;
  noRows: string;
  clear: string;
  more: string;
  none: string;
  noMatch: string;
  unsaved: string;
  oneUnsaved: string;
  saved: string;
  restored: string;
  /** `{0}` lines for `{1}` rows. */
  notPasted: string;
}

/** The page that edits the values of one data tag. */
export interface TagValuesContract extends PageContract {
  requests: {
    /** `draft`: what was typed before the page was closed, and is still to be saved. */
    ready: { params: null; answer: { strings: TagValuesStrings; table: TagTable; draft: TagTableChanges | null } };
    /** Saves, and answers the table as it was read back. */
    save: { params: TagTableChanges; answer: TagTable };
    /** Reads the table afresh. */
    reload: { params: null; answer: TagTable };
    /** Asks the user whether so many changes may be given up. */
    mayDiscard: { params: number; answer: boolean };
    /** What is to be saved, for the tab and in case that the page is closed; null when nothing is. */
    unsaved: { params: TagTableChanges | null; answer: null };
  };
  events: Record<never, never>;
}
