/** Messages that stay in the region, so that one is still there when the next is added. */
const keptMessages = 3;

let region: HTMLElement | undefined;

/** Creates the live region, empty: screen readers announce only what is added to one they know. */
export function openLiveRegion(): void {
  if (region !== undefined) return;
  region = document.createElement('div');
  region.className = 'unseen';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  // Only what is added is announced.
  region.setAttribute('aria-atomic', 'false');
  document.body.append(region);
}

/**
 * Announces a text to screen readers, after what they are saying. The only live region of the page: each message is a
 * new element, so that the same text is announced again when it is meant again.
 */
export function say(text: string): void {
  if (region === undefined || text.trim() === '') return;
  const message = document.createElement('p');
  message.textContent = text;
  region.append(message);
  while (region.children.length > keptMessages) region.firstElementChild?.remove();
}
