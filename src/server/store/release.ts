/** Release of this server; equals the version in package.json. */
export const thisRelease = '0.2.0';
