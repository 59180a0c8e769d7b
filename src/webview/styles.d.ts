/** Style sheets are imported for their side effect: the build collects them into one file per page. */
declare module '*.css';
