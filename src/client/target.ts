/** The server that a client talks to. */
export interface ServerTarget {
  /** Stable id of the saved connection. */
  connectionId: string;
  /** Name shown to the user. */
  name: string;
  /** Root of the API without a trailing slash, for example `https://reports.example.com/service/api`. */
  apiBase: string;
}
