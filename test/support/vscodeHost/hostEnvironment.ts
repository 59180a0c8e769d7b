/** Variables that npm, the test runner or another VS Code put there for themselves, and those that change how a host starts. */
const notForTheHost = /^(npm_|VITEST|VSCODE_|ELECTRON_|NODE_|CODE_SERVER_|CS_|PORT$|PASSWORD$|HASHED_PASSWORD$)/;

/**
 * The environment for a VS Code: ours, without what is not meant for it, and without a marketplace, so that nothing leaves
 * this machine.
 * @param added variables for its extensions.
 */
export function hostEnvironment(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !notForTheHost.test(name));
  return { ...Object.fromEntries(own), VSCODE_CLI: '1', EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...added };
}
