import type { PageContract } from '../../contract/pages/channel.ts';

/** A group or user and its value of the tag; null if the default applies. */
export interface TagValueRow {
  id: string;
  name: string;
  detail: string;
  value: string | null;
}

/** A tag as loaded from the server. */
export interface TagTable {
  /** For example `Values of /#state#/ on Local Server`. */
  title: string;
  defaultValue: string;
  groups: readonly TagValueRow[];
  users: readonly TagValueRow[];
}

/** A value to set: the displayed value and the new one. */
export interface TagValueChange {
  id: string;
  from: string | null;
  to: string | null;
}

/** Changes to save. */
export interface TagTableChanges {
  defaultValue: { from: string; to: string } | null;
  groups: TagValueChange[];
  users: TagValueChange[];
}

/** Texts of the page. `{0}` is replaced by the page. */
export interface TagValuesStrings {
  save: string;
  saveHint: string;
  /** The same for macOS. */
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
  /** Label of an unsaved value. */
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

/** The page that edits the values of a data tag. */
export interface TagValuesContract extends PageContract {
  requests: {
    /** `draft`: unsaved edits from before the page was closed. */
    ready: { params: null; answer: { strings: TagValuesStrings; table: TagTable; draft: TagTableChanges | null } };
    /** Saves the changes, and returns the table as read back. */
    save: { params: TagTableChanges; answer: TagTable };
    /** Reloads the table. */
    reload: { params: null; answer: TagTable };
    /** Asks the user to confirm discarding this number of changes. */
    mayDiscard: { params: number; answer: boolean };
    /** The unsaved changes, for the tab and in case the page is closed; null if there are none. */
    unsaved: { params: TagTableChanges | null; answer: null };
  };
  events: Record<never, never>;
}
