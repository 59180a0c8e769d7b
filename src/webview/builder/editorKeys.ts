import type { BuilderModel } from './builderModel.ts';

type EditorKey = 'undo' | 'redo' | 'save';

/**
 * Undo, redo and save of the editor, by its usual keys. They take the way of the edits, so that they come after what was
 * typed before them; the editor's own way is quicker than that of the last keystrokes.
 */
export function listenForEditorKeys(model: BuilderModel, target: EventTarget): () => void {
  const press = (event: Event) => {
    const key = event instanceof KeyboardEvent ? editorKey(event) : undefined;
    if (key === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    model.ask(key);
  };
  target.addEventListener('keydown', press);
  return () => target.removeEventListener('keydown', press);
}

/** What a key press asks for; undefined for any other. */
export function editorKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): EditorKey | undefined {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  if (ctrlKey === metaKey || altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'z') return shiftKey ? 'redo' : 'undo';
  if (key === 'y' && ctrlKey && !shiftKey) return 'redo';
  return key === 's' && !shiftKey ? 'save' : undefined;
}
