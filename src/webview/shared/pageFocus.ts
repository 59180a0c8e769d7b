import { useLayoutEffect } from 'preact/hooks';

/** Finds the element to focus, if there is one now. */
export type FindElement = () => HTMLElement | null | undefined;

/** The element that had the focus last, and what is needed to find it or its successor once it is gone. */
interface LastFocus {
  element: HTMLElement;
  /** Elements around it, innermost first. */
  around: readonly Element[];
  /** Selector of the same control in a new element; empty if it has no name. */
  selector: string;
}

/** Heirs of the parts of the page, by their elements. */
const heirs = new WeakMap<Element, FindElement>();
let home: FindElement = () => undefined;
let last: LastFocus | undefined;
/** Where the page itself put the focus, as long as the user has not moved it. */
let placed: 'home' | 'heir' | undefined;
/** A control that lost the focus because it was disabled, and gets it back when it is enabled. */
let awaited: HTMLElement | undefined;

/**
 * Keeps the keyboard focus of a page off its body. If the focused element is removed, hidden or disabled, the focus
 * goes to the same control drawn again, else to the heir of the part it was in, else to the main place of the page. From
 * there it moves on as that place changes, for example from a loading report to its rows, until the user moves it.
 * Never takes the focus from the editor: a page without it is looked after when it gets it back.
 * @param main finds the main place of the page in its present state.
 */
export function keepPageFocus(main: FindElement): void {
  home = main;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) remember(target);
  });
  // Before the next key: observers run as soon as the change is made.
  new MutationObserver(() => settle(false)).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert'],
  });
  window.addEventListener('focus', () => settle(true));
}

/** Lets `heir` receive the focus when the element that has it is removed from `place`. */
export function useKeptFocus(place: { readonly current: HTMLElement | null }, heir: FindElement): void {
  useLayoutEffect(() => {
    if (place.current !== null) heirs.set(place.current, heir);
  });
}

/**
 * Focuses the result of `find` once the user works in this page: a page that is drawn late must not take the focus from
 * a list or a prompt of the editor opened meanwhile. Does nothing if the user has focused something else first.
 */
export function focusHere(find: FindElement): void {
  if (document.hasFocus()) {
    find()?.focus();
    return;
  }
  const before = document.activeElement;
  const arrived = () => {
    if (placed === 'home' || document.activeElement === before) find()?.focus();
  };
  window.addEventListener('focus', arrived, { once: true });
}

function remember(element: HTMLElement): void {
  const around: Element[] = [];
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) around.push(outer);
  const label = element.getAttribute('aria-label');
  const named = label === null ? '' : `${element.localName}[aria-label="${CSS.escape(label)}"]`;
  last = { element, around, selector: element.id === '' ? named : `#${CSS.escape(element.id)}` };
  placed = undefined;
  awaited = undefined;
}

/**
 * Gives the focus a place if it has none, or a better one than the page found before.
 * @param isBack whether the editor has just given the page the focus.
 */
function settle(isBack: boolean): void {
  if (!document.hasFocus()) return;
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body && !isLost(activeElement)) {
    if (awaited !== undefined && !isLost(awaited)) awaited.focus();
    else if (placed === 'home') place(home(), 'home', awaited);
  } else if (last === undefined || isLost(last.element)) replace(last);
  // Otherwise the user has clicked beside the controls.
  else if (isBack) last.element.focus({ preventScroll: true });
}

function replace(lost: LastFocus | undefined): void {
  const next = lost && drawnAgain(lost);
  if (next) return next.focus();
  const returnsTo = lost?.element.matches(':disabled') === true ? lost.element : awaited;
  const heir = lost && heirOf(lost);
  if (heir) place(heir, 'heir', returnsTo);
  else place(home(), 'home', returnsTo);
}

function place(element: HTMLElement | null | undefined, as: 'home' | 'heir', returnsTo: HTMLElement | undefined): void {
  if (!element || isLost(element)) return;
  if (element !== document.activeElement) element.focus();
  placed = as;
  awaited = returnsTo;
}

function drawnAgain({ element, around, selector }: LastFocus): HTMLElement | undefined {
  if (selector === '' || element.isConnected) return undefined;
  const found = around.find((outer) => outer.isConnected)?.querySelector<HTMLElement>(selector);
  return found && !isLost(found) ? found : undefined;
}

function heirOf({ around }: LastFocus): HTMLElement | undefined {
  for (const outer of around) {
    const heir = outer.isConnected ? heirs.get(outer)?.() : undefined;
    if (heir && !isLost(heir)) return heir;
  }
  return undefined;
}

/** Whether an element cannot have the focus any more. */
function isLost(element: HTMLElement): boolean {
  return !element.isConnected || element.matches(':disabled') || element.closest('[hidden], [inert]') !== null;
}
