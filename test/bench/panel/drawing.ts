/**
 * For scripts of pages: waits for the frame that draws what a person looks for. It looks whenever the page changes, and not in
 * every frame: the editor shares the thread with the page, and has to hand over what is waited for between frames that nobody
 * needs.
 */
export const drawing = `
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const changedTo = (isThere) => new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isThere()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const drawn = async (isThere) => {
    await frame();
    if (isThere()) return;
    await changedTo(isThere);
    await frame();
  };
`;
