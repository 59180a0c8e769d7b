/** A key with what is held. */
interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/**
 * Undo, redo or save of the editor, as a key press asks for them; undefined for any other. They take the way of the edits,
 * so that they come after what was typed before them: the editor's own way is quicker than that of the last keystrokes.
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
