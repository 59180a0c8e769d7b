import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpointPaths, endpoints } from '../../../src/contract/endpoints.ts';

/** The fields of an object schema, through the wrappers that make it optional or a list. */
function objectFields(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodArray) return objectFields(schema.element as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return objectFields(schema.unwrap() as z.ZodType);
  return undefined;
}

/** Reply schemas of all endpoints that answer objects or lists of objects. */
const replies = endpointPaths.flatMap((path) => {
  const row = endpoints[path];
  if (row.form.kind !== 'json') return [];
  const fields = objectFields(row.reply);
  return fields ? [{ path, reply: row.reply as z.ZodType, fields, isList: row.form.shape === 'array' }] : [];
});

/** Fields without which a reply means nothing. */
const indispensable = new Set(['key']);

function wrap(isList: boolean, value: unknown): unknown {
  return isList ? [value] : value;
}

describe('reply schemas', () => {
  it('cover every JSON endpoint', () => {
    const json = endpointPaths.filter((path) => endpoints[path].form.kind === 'json');
    expect(replies.map(({ path }) => path)).toEqual(json);
  });

  it.each(replies)('$path keeps unknown fields and changes nothing', ({ reply, isList }) => {
    const value = wrap(isList, { released: { later: [1, null, 'x'] }, ErrorMessage: null });
    expect(reply.parse(value)).toEqual(value);
  });

  it.each(replies)('$path takes null for every field', ({ reply, fields, isList }) => {
    const nulls = Object.fromEntries(
      Object.keys(fields)
        .filter((name) => !indispensable.has(name))
        .map((name) => [name, null]),
    );
    expect(() => reply.parse(wrap(isList, nulls))).not.toThrow();
  });

  it.each(replies)('$path takes an error code as text', ({ reply, fields, isList }) => {
    for (const name of ['ErrorCode', 'error_code', 'returncode', 'Code'].filter((field) => field in fields)) {
      expect(() => reply.parse(wrap(isList, { [name]: '0' }))).not.toThrow();
    }
  });
});

/** Template and sample shapes as the description gives them. */
const documented = {
  'Contact/NewContact': {
    ErrorCode: 0,
    ErrorMessage: null,
    ID: null,
    LoginName: '',
    Pin: null,
    isAdmin: false,
    SecurityGroups: [],
    UserApplications: [],
    Preferences: [],
    timezone: 0,
    Language: { id: 1, nativename: 'English', englishname: 'English', iso_name: 'en', phraselist: null },
    lockdate: '0001-01-01T00:00:00',
  },
  'Group/NewSecurityGroup': { ErrorCode: 0, GroupId: null, GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [] },
  'DataTag/NewDataTag': {
    ID: '',
    Label: 'New Data Tag',
    isUser: true,
    isGroup: false,
    isActive: true,
    DataTypeEnum: 1,
  },
  'Shield/NewPolicy': { ErrorCode: '0', id: null, Constraints: [], Groups: null, Users: null, isActive: false },
  'library/NewLibraryFolder': { error_code: 0, error_message: '', id: 0, fname: 'New Folder', Permissions: [] },
  'Report/NewReport': {
    ErrorCode: 0,
    ReportID: '',
    Reportname: 'New Report',
    OutputType: 1,
    TopN: null,
    FieldList: [],
    Permissions: [],
    AdHocFields: [],
    linkreports: [],
    FormLayout: [],
    CreatedBy: null,
  },
  'Session/CheckSession': { ErrorCode: 101, ErrorMessage: 'Session Expired', SessionExpir: '0001-01-01T00:00:00' },
  'login/DoLogin': {
    ErrorCode: 0,
    LoginSession: {
      SessionToken: 't',
      SessionFlag: 0,
      isGuestSession: false,
      SessionTimeLeft: 20,
      Mfa2FA_AuthURI: null,
    },
    LoginUser: { ID: '1', twofa: 'none', AuthType: 'PIN' },
    LicensedFeatures: [{ Feature: 'f', count: '1', id: '2' }],
    maustate: 'Normal',
    maxrecords: '500000',
  },
  'Report/GetReportMetadataById': { Report: { ErrorCode: 586, ErrorMessage: 'Report does not exist.' }, Prompts: null },
  'DataTag/DeleteDataTag': { Code: 0, Message: 'Data Tag Successfully Deleted' },
  'library/DelFolder': { returncode: 0, message: '3 items' },
} as const;

describe('documented shapes', () => {
  it.each(Object.entries(documented))('%s', (path, value) => {
    const { reply } = endpoints[path as keyof typeof documented];
    expect((reply as z.ZodType).parse(value)).toEqual(value);
  });
});
