import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BuilderField, BuilderContext } from '../../pageContract.ts';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import { say } from '../../../../webview/shared/liveRegion.ts';
import type { BuilderModel } from '../builderModel.ts';
import { useDraft } from '../DraftInput.tsx';
import { formulaOffers, referenceTo, withOffer, wordBefore } from './formulaHelp.ts';
import type { FormulaOffer, FormulaText } from './formulaHelp.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface FormulaBoxProps {
  model: BuilderModel;
  ground: BuilderContext;
  field: BuilderField;
  /** Id of the server's reason to refuse the field; undefined if it takes it. */
  problemId: string | undefined;
}

/** The formula of a field, with completions for the platform's functions and the report type's fields. */
export function FormulaBox({ model, ground, field, problemId }: FormulaBoxProps) {
  const draft = useDraft(field.formula, (value) => model.edit({ kind: 'setFormula', field: field.index, value }));
  const [offers, setOffers] = useState<FormulaOffer[]>([]);
  const [active, setActive] = useState(0);
  const [caret, setCaret] = useState<{ start: number; end: number }>();
  const box = useRef<HTMLTextAreaElement>(null);
  const listId = `formula-${field.index}-list`;
  useLayoutEffect(() => {
    if (caret === undefined) return;
    box.current?.setSelectionRange(caret.start, caret.end);
    setCaret(undefined);
  }, [caret]);

  const current = (): FormulaText => {
    const element = box.current;
    return { text: element?.value ?? '', start: element?.selectionStart ?? 0, end: element?.selectionEnd ?? 0 };
  };
  const offer = (isAsked: boolean) => {
    const word = wordBefore(current());
    const found =
      ground.kind === 'ready' && (isAsked || word.length > 1)
        ? formulaOffers(current(), ground.functions, ground.tree)
        : [];
    setOffers(found);
    setActive(0);
    if (found.length > 0 && found.length !== offers.length)
      say(found.length === 1 ? l10n.t('1 suggestion') : l10n.t('{0} suggestions', found.length));
    else if (isAsked && found.length === 0) say(l10n.t('No suggestions'));
  };
  const put = (chosen: FormulaOffer) => {
    const entries = ground.kind === 'ready' ? ground.tree : [];
    const own = entries.find(({ isFolder, source }) => !isFolder && source === field.source);
    const { text, start, end } = withOffer(current(), chosen, referenceTo(own ?? { label: '', source: field.source }));
    draft.type(text);
    setOffers([]);
    setCaret({ start, end });
    box.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const chosen = offers[active];
    if (event.key === ' ' && event.ctrlKey) offer(true);
    else if (chosen === undefined) return;
    else if (event.key === 'Escape') setOffers([]);
    else if (event.key === 'ArrowDown') setActive(Math.min(offers.length - 1, active + 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1));
    else if (event.key === 'Enter' || event.key === 'Tab') put(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="formula">
      <textarea
        ref={box}
        class="input formula-text"
        rows={Math.min(6, Math.max(1, draft.text.split('\n').length))}
        spellcheck={false}
        placeholder={l10n.t(
          'For example, ROUND(?, 2), where ? is the field. Press Ctrl+Space for functions and fields.',
        )}
        aria-label={l10n.t('Formula of {0}', field.name)}
        aria-invalid={problemId !== undefined}
        aria-describedby={problemId}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? listId : undefined}
        aria-activedescendant={offers.length > 0 ? `${listId}-${active}` : undefined}
        value={draft.text}
        onInput={(event) => {
          draft.type(event.currentTarget.value);
          offer(false);
        }}
        onKeyDown={press}
        onBlur={() => setOffers([])}
      />
      {offers.length > 0 && (
        <OfferList id={listId} label={l10n.t('Functions and fields')} {...{ offers, active }} onPick={put} />
      )}
    </div>
  );
}

interface OfferListProps {
  id: string;
  label: string;
  offers: readonly FormulaOffer[];
  active: number;
  onPick: (offer: FormulaOffer) => void;
}

function OfferList({ id, label, offers, active, onPick }: OfferListProps) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <ul class="offers" id={id} ref={list} role="listbox" aria-label={label}>
      {offers.map((offer, index) => (
        <li
          key={`${offer.kind} ${offer.label} ${offer.detail}`}
          id={`${id}-${index}`}
          class={`offer${index === active ? ' is-active' : ''}`}
          role="option"
          aria-selected={index === active}
          // Keep the focus in the text when the mouse is pressed.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(offer)}
        >
          <Icon name={offer.kind === 'function' ? 'symbol-method' : 'symbol-field'} />
          <span class="offer-label">{offer.label}</span>
          <span class="offer-detail">{offer.detail}</span>
        </li>
      ))}
    </ul>
  );
}
