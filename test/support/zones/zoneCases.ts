/** Values of a `dat` column, stored on a registered server and shown to a user. */
export interface ZoneCase {
  server: { TimeZone: number; DaylightSavings: boolean; timezonename?: string };
  user: { timezone: number; timezonename: string };
  values: string[];
}

/** How the values were written, and the rows that the filter box finds for the first cells. */
export interface ZoneCells {
  /** getTimezoneOffset() of the process, which shows that it took the zone. */
  offset: number;
  cells: string[];
  copied: string[];
  files: string[];
  found: number[][];
}
