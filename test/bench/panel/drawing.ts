/**
 * For scripts of pages: waits until what a person looks for has been drawn, with the frame's layout and painting done. It looks
 * whenever the page changes and not in every frame: frames asked for one after the other keep the editor, which shares the thread
 * with the page, from handing over what the page waits for, and doubled the times.
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
    if (!isThere()) {
      await changedTo(isThere);
      await frame();
    }
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  };
`;
