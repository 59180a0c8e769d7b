import type { RoomSchema } from '../store/migrations.ts';

/** What the sample remembers: that it was put in, once, and the registered server that its data is behind. */
export const sampleSchema: RoomSchema = {
  room: 'sample',
  steps: ['CREATE TABLE sample (only INTEGER PRIMARY KEY CHECK (only = 1), server_id INTEGER NOT NULL)'],
};
