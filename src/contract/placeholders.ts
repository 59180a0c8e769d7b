/** Placeholders for a field of the reader's own profile. API description, Shield policy. */
export const profilePlaceholders = [
  'tag1',
  'tag2',
  'tag3',
  'tag4',
  'login',
  'firstname',
  'lastname',
  'email',
  'company',
] as const;

/** One of {@link profilePlaceholders}. */
export type ProfilePlaceholder = (typeof profilePlaceholders)[number];

/** Whether a label in its normal form is a profile field; such a field hides a data tag of the same label. */
export function isProfilePlaceholder(label: string): label is ProfilePlaceholder {
  return (profilePlaceholders as readonly string[]).includes(label);
}

/** User-editable profile fields, by their placeholders. */
export const ownFields = {
  firstname: 'FirstName',
  lastname: 'LastName',
  email: 'EmailAddress',
  company: 'Company',
} as const satisfies Partial<Record<ProfilePlaceholder, string>>;

/** Placeholder of one of {@link ownFields}. */
export type OwnField = keyof typeof ownFields;

/** Whether a label in its normal form is a user-editable profile field. */
export function isOwnField(label: string): label is OwnField {
  return Object.hasOwn(ownFields, label);
}

/** Text of a value around its placeholders. */
export interface ValueText {
  readonly kind: 'text';
  readonly text: string;
  /** Whether it contains part of a placeholder, such as `/#` that is never closed: the value is then ambiguous. */
  readonly isBroken: boolean;
}

/** A placeholder `/#label#/` in a value. */
export interface Placeholder {
  readonly kind: 'placeholder';
  /** The placeholder with its delimiters. */
  readonly text: string;
  /** Its offset in the value. */
  readonly offset: number;
  /** Text between the delimiters. */
  readonly written: string;
  readonly label: LabelReading;
}

/** A piece of a constraint's value. */
export type ValuePart = ValueText | Placeholder;

/** Text of the placeholder for a label. */
export function placeholderOf(label: string): string {
  return `/#${label}#/`;
}

/** Parses a constraint's value; concatenating the texts of the parts yields the value. */
export function parseValue(value: string): ValuePart[] {
  const parts: ValuePart[] = [];
  let end = 0;
  const addText = (text: string) => {
    if (text !== '') parts.push({ kind: 'text', text, isBroken: holdsMark(text) });
  };
  // With a regular expression, each unclosed delimiter would scan the rest of the value.
  for (let offset = value.indexOf('/#'); offset >= 0; offset = value.indexOf('/#', end)) {
    const close = value.indexOf('#/', offset + 2);
    if (close < 0) break;
    const written = value.slice(offset + 2, close);
    addText(value.slice(end, offset));
    end = close + 2;
    parts.push({ kind: 'placeholder', text: value.slice(offset, end), offset, written, label: readLabel(written) });
  }
  addText(value.slice(end));
  return parts;
}

/** Placeholders of a value, in order. */
export function placeholdersOf(value: string): Placeholder[] {
  return parseValue(value).filter((part) => part.kind === 'placeholder');
}

/** A problem of a value, and the part that causes it. */
export interface ValueProblem {
  readonly text: string;
  readonly problem: LabelProblem | 'broken';
}

/** Why a value cannot be filled; undefined if it can. */
export function problemOf(value: string): ValueProblem | undefined {
  for (const part of parseValue(value)) {
    const { text } = part;
    if (part.kind === 'text' && part.isBroken) return { text, problem: 'broken' };
    if (part.kind === 'placeholder' && part.label.problem) return { text, problem: part.label.problem };
  }
  return undefined;
}

/** Why a label is invalid: it is empty, contains invisible characters, or only looks like a profile field. */
export type LabelProblem = 'empty' | 'unreadable' | 'lookalike';

/** A label in its normal form, or why it has none. */
export type LabelReading =
  | { readonly normal: string; readonly problem?: undefined }
  | { readonly normal?: undefined; readonly problem: LabelProblem };

/** Maximum length of a label in characters. */
const longestLabel = 1_000;
const plainLabel = /^[a-z0-9][a-z0-9_-]*$/i;

/**
 * Normal form of a label: two labels name the same tag or field when their normal forms are equal.
 *
 * White space around it is dropped, inside it becomes one blank. Full-width, ligature and composed spellings are
 * normalized with NFKC. Case is ignored, independent of language: ß is ss, the Turkish İ and ı are i, the final ς is σ.
 *
 * A label has no normal form, and hides all rows, when it could mean something else than it seems to: if it contains
 * characters that are invisible, control, private or unassigned, or the characters # and /, or spells a profile field
 * in letters other than plain ASCII. Nor has one that is too long to be read.
 */
export function readLabel(written: string): LabelReading {
  if (written.length > longestLabel) return { problem: 'unreadable' };
  const trimmed = written.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
  if (plainLabel.test(trimmed)) return { normal: trimmed.toLowerCase() };
  const text = trimmed
    .normalize('NFKC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(/^ | $/g, '');
  if (text === '') return { problem: 'empty' };
  if (/[\p{Default_Ignorable_Code_Point}\p{C}#/]/u.test(text)) return { problem: 'unreadable' };
  const normal = foldCase(text);
  return isProfilePlaceholder(normal) ? { problem: 'lookalike' } : { normal };
}

/** Via upper case, where ß becomes two letters and ς and σ become one; the Turkish İ loses its dot. */
function foldCase(text: string): string {
  return text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/i\u0307+/g, 'i')
    .replaceAll('ς', 'σ');
}

/** Whether a text contains a placeholder's delimiter, or a look-alike. */
function holdsMark(text: string): boolean {
  return /\/#|#\//.test(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
}
