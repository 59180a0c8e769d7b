/**
 * Focuses the result of `find` once the user works in this page: a page that is drawn late must not take the focus from
 * a list or a prompt of the editor opened meanwhile. Does nothing if the user has focused something else first.
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
