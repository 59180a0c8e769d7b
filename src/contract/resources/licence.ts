import * as z from 'zod';
import { flag, identifier, integer, listOf, standardErrorFields, text } from '../fields.ts';

/**
 * Our own: the licence of the local server, which administrators change to rehearse its states. The API description has
 * no call for it.
 */
export const licence = z.looseObject({
  ...standardErrorFields,
  State: text,
  IsExpired: flag,
  Seats: integer,
  Applications: listOf(
    z.looseObject({ ApplicationID: identifier, ApplicationName: text, Seats: integer, TakenSeats: integer }),
  ),
});

export type LicenceRecord = z.infer<typeof licence>;
