/** One value that a field may have, with what it means. */
export interface FieldChoice {
  readonly value: string | number;
  readonly meaning: string;
  /** Said in brackets after the meaning. */
  readonly detail?: string;
}

/** What is said of a field where it is edited. */
export interface FieldNote {
  /** One or two plain sentences. */
  readonly text: string;
  /** Values that are known. Servers of other releases may know more, so others are pointed out but never refused. */
  readonly choices?: readonly FieldChoice[];
  /** Whether other values are as good: the choices are only the usual ones. */
  readonly isOpen?: boolean;
}

/** Notes by the path of the field, such as `Groups.GroupId`; entries of a list share their notes. */
export type FieldNotes = Readonly<Record<string, FieldNote | string>>;

/** Booleans that are written as words. API description, Instance settings. @l10n meaning */
export const textBooleans: readonly FieldChoice[] = [
  { value: 'True', meaning: 'On' },
  { value: 'False', meaning: 'Off' },
];

/** Numbers that stand for on and off. @l10n meaning */
export const numberBooleans: readonly FieldChoice[] = [
  { value: 0, meaning: 'Off' },
  { value: 1, meaning: 'On' },
];
