import type { CommandServices } from '../../editor/commands/services.ts';

/** Shows the extension's log. */
export function showLog({ log }: CommandServices): void {
  log.show();
}
