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
