import { LazyDocuments } from '../../../src/features/documents/lazyDocuments.ts';
import type { SavedDocument } from '../../../src/features/documents/files/openDocument.ts';
import type { CommandScene } from '../commandScene.ts';
import { documents } from '../vscode/documents.ts';

/** Gives a scene the real documents, in the editor of `test/support/vscode`. */
export function useDocuments({ services, connections, workspaceState }: CommandScene) {
  const saved: SavedDocument[] = [];
  const lazy = new LazyDocuments({ connections, state: workspaceState, onDidSave: (each) => void saved.push(each) });
  services.documents = () => lazy.documents();
  return {
    lazy,
    /** Objects that were saved. */
    saved,
    close: () => {
      documents.closeAll();
      lazy.dispose();
    },
  };
}
