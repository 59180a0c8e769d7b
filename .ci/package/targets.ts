/** What is packed: for each platform a package with DuckDB's library, and one for all others, which reports on SQLite. */
export const targets = ['universal', 'linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;
export type Target = (typeof targets)[number];

/** The most that a package of each target may weigh, in bytes. */
export const mostBytes: Record<Target, number> = {
  universal: 6e6,
  'linux-x64': 45e6,
  'linux-arm64': 45e6,
  'darwin-x64': 60e6,
  'darwin-arm64': 60e6,
  'win32-x64': 45e6,
};

/** The platform that this runs on, when it has a package of its own. */
export function ownTarget(): Target | undefined {
  return targets.find((target) => target === `${process.platform}-${process.arch}`);
}
