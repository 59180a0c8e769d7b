import type { KeyHelp } from '../../../webview/shared/keyLabels.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** A key and its modifiers. */
interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/**
 * The editor command of a key press: undo, redo or save; undefined for other keys. The command goes through the edit
 * queue to run after earlier typing: VS Code's own keybinding would overtake the last keystrokes.
 */
export function editorKey({
  key: pressed,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: KeyPress): 'undo' | 'redo' | 'save' | undefined {
  if (ctrlKey === metaKey || altKey) return undefined;
  const key = pressed.toLowerCase();
  if (key === 'z') return shiftKey ? 'redo' : 'undo';
  if (key === 'y' && ctrlKey && !shiftKey) return 'redo';
  return key === 's' && !shiftKey ? 'save' : undefined;
}

/** Keys of the builder. */
export const builderHelp: KeyHelp = {
  title: () => l10n.t('Keys in the Report Builder'),
  keys: () => [
    ['Up, Down, Home, End', l10n.t('Move in the available fields')],
    ['Left, Right', l10n.t('Collapse or expand a folder of fields; change the part of the report')],
    ['Enter', l10n.t('On an available field: add it. In the search: add the first match')],
    ['Alt+Up, Alt+Down', l10n.t('Move the field of the report')],
    ['Ctrl+Z, Ctrl+Y', l10n.t('Undo or redo')],
    ['Ctrl+S', l10n.t('Save')],
  ],
};
