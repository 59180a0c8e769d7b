/** Tables of the sample database, in an order in which each needs only those before it; one Parquet file each. */
export const sampleTables = ['airports', 'flights', 'birdstrikes'] as const;
