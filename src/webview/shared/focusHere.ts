/**
 * Puts the focus on what `find` names, once this page is where the user works: a page that is drawn late must not take the
 * focus from a list or a prompt of the editor that was opened meanwhile. What the user goes to first keeps it.
 */
export function focusHere(find: () => HTMLElement | null | undefined): void {
  if (document.hasFocus()) {
    find()?.focus();
    return;
  }
  const arrived = () => {
    if (document.activeElement === document.body) find()?.focus();
  };
  window.addEventListener('focus', arrived, { once: true });
}
