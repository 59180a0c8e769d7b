/** Scheme of the read-only documents that hold generated SQL. */
export const sqlScheme = 'analytics-sql';
