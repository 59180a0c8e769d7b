import type { RoomSchema } from '../store/migrations.ts';

const fourDigits = `printf('%04d', abs(random() % 10000))`;

/** Tables of the mail configuration and of the installation's identifier, which is drawn once. */
export const administrationSchema: RoomSchema = {
  room: 'administration',
  steps: [
    `
    CREATE TABLE mail (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      content TEXT NOT NULL,
      sealed_password BLOB,
      created TEXT NOT NULL,
      modified TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE installation (only INTEGER PRIMARY KEY CHECK (only = 1), identifier TEXT NOT NULL);
    INSERT INTO installation (only, identifier)
      VALUES (1, ${Array.from({ length: 6 }, () => fourDigits).join(` || '-' || `)});
    `,
  ],
};
