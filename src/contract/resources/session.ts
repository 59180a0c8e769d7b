import * as z from 'zod';
import { anyList, flag, integer, listOf, standardErrorFields, text, timestamp } from '../fields.ts';
import { user } from './user.ts';

/** Session, as returned by sign-in and the session calls. API description, Session. */
export const session = z.looseObject({
  ...standardErrorFields,
  SessionToken: text,
  SessionFlag: integer,
  isGuestSession: flag,
  SessionTimeLeft: integer,
  SessionExpir: timestamp,
  Mfa2FA_State: text,
  Mfa2FA_AuthURI: text,
  Mfa2FA_AuthStatus: text,
});

/** Reply of DoLogin; `LoginSession` is null when sign-in failed. API description, Login response. */
export const loginResponse = z.looseObject({
  ...standardErrorFields,
  LoginSession: session.nullish(),
  LoginUser: user.nullish(),
  Tenant_Mode: flag,
  ProductName: text,
  ProductType: integer,
  ProductVersion: text,
  LicensedFeatures: listOf(z.looseObject({ Feature: text, count: text, id: text })),
  maustate: text,
  maxrecords: text,
});

/** Licence and permission state of a session. API description, Passport. */
export const passport = z.looseObject({
  ...standardErrorFields,
  isFirstRun: flag,
  isExpiredBase: flag,
  isValidBase: flag,
  isValidTrial: flag,
  Version: integer,
  ProdType: integer,
  TotalReportCount: integer,
  TotalUserCount: integer,
  ServiceModuleProfiles: anyList,
  isSchedulerLicensed: flag,
  isConnectLicensed: flag,
  isRolesLicensed: flag,
  isLDAPLicensed: flag,
  isShieldLicensed: flag,
  RegisteredServerList: anyList,
  ServiceLicenses: anyList,
  TrialLicenses: anyList,
  TeamLicenses: anyList,
  EnterpriseLicenses: anyList,
  SMTPServerList: anyList,
});

export type Session = z.infer<typeof session>;
export type LoginResponse = z.infer<typeof loginResponse>;
export type Passport = z.infer<typeof passport>;
