/** Style sheets are imported for their effect: the build gathers them into one file per page. */
declare module '*.css';
