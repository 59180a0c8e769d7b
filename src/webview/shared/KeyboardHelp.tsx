import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './Button.tsx';
import { keyLabels, type KeyHelp } from './keyLabels.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Whether a key opens the help. */
export function isHelpKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'F1' && !ctrlKey && !metaKey && !shiftKey;
}

/** What the keys of the page do. Escape closes it; the focus returns to where it was. */
export function KeyboardHelp({ help, onClose }: { help: KeyHelp; onClose: () => void }) {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => place.current?.showModal(), []);
  const all = [...help.keys(), ...commonKeys()];
  return (
    <dialog
      ref={place}
      class="key-help"
      aria-labelledby="key-help-title"
      onClose={onClose}
      // Keys of the page beneath do not act.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id="key-help-title">{help.title()}</h2>
        <Button look="quiet" icon="close" label={l10n.t('Close')} isBare onClick={() => place.current?.close()} />
      </header>
      {/* Scrolls by keys. */}
      <div class="key-help-keys" role="region" aria-labelledby="key-help-title" tabIndex={0} autofocus>
        <table aria-labelledby="key-help-title">
          <thead>
            <tr>
              <th scope="col">{l10n.t('Keys')}</th>
              <th scope="col">{l10n.t('What they do')}</th>
            </tr>
          </thead>
          <tbody>
            {all.map(([keys, effect]) => (
              <tr key={keys + effect}>
                <th scope="row">
                  {keys
                    .split(', ')
                    .map((each) => keyLabels(each))
                    .join(', ')}
                </th>
                <td>{effect}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </dialog>
  );
}

function commonKeys(): readonly (readonly [string, string])[] {
  return [
    ['Tab, Shift+Tab', l10n.t('Next or previous control')],
    ['F1, Alt+F1', l10n.t('This help')],
    ['Ctrl+Shift+P', l10n.t('All commands of the editor')],
  ];
}
