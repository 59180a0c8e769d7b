import type { RoomSchema } from '../../../src/server/store/migrations.ts';

/** Rooms of a small state as an earlier release made it. */
export const earlierShelf: readonly RoomSchema[] = [
  { room: 'shelf', steps: ['CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)'] },
  { room: 'reader', steps: ['CREATE TABLE reader (name TEXT NOT NULL)'] },
];

/** The same rooms in a later release, and one more: steps that fail or double when they run twice. */
export const laterShelf: readonly RoomSchema[] = [
  {
    room: 'shelf',
    steps: [
      'CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)',
      "UPDATE book SET title = title || '!'",
      'ALTER TABLE book ADD COLUMN pages INTEGER NOT NULL DEFAULT 1',
    ],
  },
  {
    room: 'reader',
    steps: ['CREATE TABLE reader (name TEXT NOT NULL)', "INSERT INTO reader (name) VALUES ('everyone')"],
  },
  { room: 'loan', steps: ['CREATE TABLE loan (book_id INTEGER NOT NULL REFERENCES book (id))'] },
];
