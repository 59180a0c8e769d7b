import path from 'node:path';

/** Set in the environment of a run that begins with a build. */
export const builtServer = { ANALYTICS_STUDIO_SERVER: path.join('dist', 'server.js') };

/**
 * The embedded server that tests start: its sources, or the program that `ANALYTICS_STUDIO_SERVER` names. `npm test` names the
 * built one, which starts in a third of the time. Absolute path.
 */
export const serverScript = path.resolve(
  import.meta.dirname,
  '../..',
  process.env.ANALYTICS_STUDIO_SERVER ?? 'src/server/main.ts',
);
