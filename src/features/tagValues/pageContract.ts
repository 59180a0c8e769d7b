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

/** The page that edits the values of a data tag. */
export interface TagValuesContract extends PageContract {
  requests: {
    /** `draft`: unsaved edits from before the page was closed. */
    ready: { params: null; answer: { table: TagTable; draft: TagTableChanges | null } };
    /** Saves the changes, and returns the table as read back. */
    save: { params: TagTableChanges; answer: TagTable };
    /** Reloads the table. */
    reload: { params: null; answer: TagTable };
    /** Asks the user to confirm discarding this number of changes. */
    mayDiscard: { params: number; answer: boolean };
    /** The unsaved changes, for the tab and in case the page is closed; null if there are none. */
    unsaved: { params: TagTableChanges | null; answer: null };
  };
  events: {
    /** Groups or users were changed or deleted elsewhere in this window. */
    changed: null;
  };
}
