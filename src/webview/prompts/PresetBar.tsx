import { useEffect, useRef, useState } from 'preact/hooks';
import type { PromptPresets, PromptValue } from '../../contract/pages/promptForm.ts';
import { Button } from '../shared/Button.tsx';
import { say } from '../shared/liveRegion.ts';
import { useKeptFocus } from '../shared/pageFocus.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Requests of the form to the host about presets. */
export interface PresetCalls {
  choose(name: string): Promise<PromptValue[] | null | undefined>;
  /** Saves values; the host asks for the name. */
  save(values: PromptValue[], name: string): Promise<PromptPresets | null | undefined>;
  remove(name: string): Promise<PromptPresets | null | undefined>;
}

interface PresetBarProps {
  /** The preset names when the form was opened. */
  names: readonly string[];
  values: PromptValue[];
  calls: PresetCalls;
  onChoose: (values: PromptValue[]) => void;
}

/** Presets of values: choose, save, delete. */
export function PresetBar({ names, values, calls, onChoose }: PresetBarProps) {
  const [presets, setPresets] = useState<PromptPresets>({ names: [...names], chosen: '' });
  useEffect(() => setPresets({ names: [...names], chosen: '' }), [names]);
  const place = useRef<HTMLDivElement>(null);
  useKeptFocus(place, () => place.current?.querySelector<HTMLElement>('select, button'));
  const choose = async (chosen: string) => {
    setPresets({ ...presets, chosen });
    const kept = chosen === '' ? null : await calls.choose(chosen);
    if (kept != null) onChoose(kept);
  };
  const take = (next: PromptPresets | null | undefined, done: string) => {
    if (next == null) return;
    setPresets(next);
    say(done);
  };
  return (
    <div class="presets" ref={place}>
      {presets.names.length > 0 && (
        <select
          class="input"
          aria-label={l10n.t('Saved values')}
          value={presets.chosen}
          onChange={(event) => void choose(event.currentTarget.value)}
        >
          <option value="">{l10n.t('Choose…')}</option>
          {presets.names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Button
        look="quiet"
        icon="save"
        label={l10n.t('Save These Values…')}
        isBare={presets.names.length > 0}
        onClick={() => void calls.save(values, presets.chosen).then((next) => take(next, l10n.t('Saved')))}
      />
      {presets.chosen !== '' && (
        <Button
          look="quiet"
          icon="trash"
          label={l10n.t('Delete These Values…')}
          isBare
          onClick={() =>
            void calls.remove(presets.chosen).then((next) => take(next, l10n.t('{0} removed', presets.chosen)))
          }
        />
      )}
    </div>
  );
}
