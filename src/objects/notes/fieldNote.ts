/** A possible value of a field, with its meaning. */
export interface FieldChoice {
  readonly value: string | number;
  readonly meaning: string;
  /** Shown in brackets after the meaning. */
  readonly detail?: string;
}

/** Documentation of a field in the editor. */
export interface FieldNote {
  /** One or two plain sentences. */
  readonly text: string;
  /** Known values. Servers of other releases may have more, so others are flagged but never rejected. */
  readonly choices?: readonly FieldChoice[];
  /** Whether other values are equally valid: the choices are only the usual ones. */
  readonly isOpen?: boolean;
}

/** Notes by field path, such as `Groups.GroupId`; entries of a list share their notes. */
export type FieldNotes = Readonly<Record<string, FieldNote | string>>;

/** Booleans as text. API description, Instance settings. @l10n meaning */
export const textBooleans: readonly FieldChoice[] = [
  { value: 'True', meaning: 'On' },
  { value: 'False', meaning: 'Off' },
];

/** Booleans as numbers. @l10n meaning */
export const numberBooleans: readonly FieldChoice[] = [
  { value: 0, meaning: 'Off' },
  { value: 1, meaning: 'On' },
];
