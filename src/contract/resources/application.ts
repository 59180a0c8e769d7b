import * as z from 'zod';
import { anyList, flag, integer, listOf, standardErrorFields, text, identifier } from '../fields.ts';

/**
 * The product object of applications and registered servers. Its key is the name of the product, so find it with {@link
 * findProduct}. API description, Application.
 */
export const product = z.looseObject({
  ...standardErrorFields,
  ID: identifier,
  Name: text,
  ModuleType: text,
  ProductCode: text,
  isAnyDbApp: flag,
  isPremiumApp: flag,
  isAPIApp: flag,
});

/** Database connection of an application; `DatabasePassword` is always empty in replies. API description, Registered server. */
export const registeredServer = z.looseObject({
  ...standardErrorFields,
  ID: identifier,
  ModuleType: text,
  TimeZone: integer,
  DaylightSavings: flag,
  /** Name of the zone that `TimeZone` rounds to hours. Not in the API description; the embedded server has it. */
  timezonename: text,
  DatabaseOwner: text,
  DatabaseServer: text,
  DatabaseLogin: text,
  DatabaseName: text,
  DatabasePassword: text,
  DatabaseDriver: text,
  DatabasePlatform: text,
  CommandTimeout: integer,
  ConnectionTimeout: integer,
  Permissions: anyList,
  MappedAnyDB: text,
  DisplayName: text,
  allowstoredproc: integer,
  allowdirectsql: integer,
  datasources: anyList,
  additionalparams: text,
});

/** Licence seats of an application. API description, Application (ModuleProfile). */
export const moduleProfile = z.looseObject({
  isLicensed: flag,
  LicensedQuanity: integer,
  ConsumedQuanity: integer,
  NextExpiration: text,
  IsExpired: flag,
  ArchitectConsumptionCount: integer,
  BuilderConsumptionCount: integer,
  AgentConsumptionCount: integer,
  Membership: anyList,
});

/** Application with its seats and servers. API description, Application. */
export const application = z.looseObject({
  ModuleProfile: moduleProfile.nullish(),
  Status: integer,
  RegisteredServers: listOf(registeredServer),
});

export type Product = z.infer<typeof product>;
export type RegisteredServer = z.infer<typeof registeredServer>;
export type Application = z.infer<typeof application>;

/** The key of the product object in `holder`, found by shape (an object with ID and ModuleType). */
export function productKey(holder: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(holder).find((key) => {
    const value = holder[key];
    return typeof value === 'object' && value !== null && 'ID' in value && 'ModuleType' in value;
  });
}

/** The product object of an application or a registered server, or undefined. */
export function findProduct(holder: Readonly<Record<string, unknown>>): Product | undefined {
  const key = productKey(holder);
  return key === undefined ? undefined : product.safeParse(holder[key]).data;
}
