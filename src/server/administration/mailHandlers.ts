import * as z from 'zod';
import type { Smtp } from '../../contract/resources/administration.ts';
import { type HandlerReply, type Handlers, type SignedInContext, adminOnly } from '../calls/handlers.ts';
import { checkRevision, refusal } from '../calls/wholeObject.ts';
import { slashedTimestamp } from '../calls/timestamps.ts';
import { type SecretBox, secretNames } from '../catalogue/secretBox.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { jsonOf, numberOf, textOf } from '../store/columns.ts';
import type { Store } from '../store/store.ts';

const words = z.enum(['True', 'False']);
const mailSettings = z.object({
  SMTPHost: z.string(),
  SMTPPort: z.string(),
  SMTPFromAddress: z.string(),
  SMTPRequiredSecurity: words,
  SMTPUserName: z.string(),
  SMTPEnableSSL: words,
});
type MailSettings = z.output<typeof mailSettings>;

interface StoredMail {
  settings: MailSettings;
  sealedPassword: Uint8Array | null;
  created: string;
  modified: string;
  revision: number;
}

const mailId = '1';
const emptySettings: MailSettings = {
  SMTPHost: '',
  SMTPPort: '25',
  SMTPFromAddress: '',
  SMTPRequiredSecurity: 'False',
  SMTPUserName: '',
  SMTPEnableSSL: 'False',
};

/** Handlers of the outgoing mail configuration. API description, Email (SMTP). */
export function createMailHandlers(secrets: SecretBox): Handlers {
  return {
    'SMTP/GetSMTP': adminOnly((_body, { store }) => mailRecord(readMail(store))),
    'SMTP/SaveSMTP': adminOnly((body, context) => saveMail(body, context, secrets)),
    'SMTP/DeleteSMTP': adminOnly((_body, context) => {
      context.store.transaction(() => {
        context.store.run('DELETE FROM mail');
        context.audit(auditSymbols.change, 'deleted mail configuration');
      });
      return deletedRecord;
    }),
  };
}

/** The mail configuration for a passport, without its password; empty until it is saved. */
export function mailServers(store: Store): Smtp[] {
  const mail = readMail(store);
  return mail ? [mailRecord(mail)] : [];
}

/** Replaces the configuration. An empty password keeps the stored one, since reads always return it empty. */
function saveMail(body: { smtp: Smtp }, context: SignedInContext, secrets: SecretBox): HandlerReply {
  const { store, now } = context;
  const settings = sentSettings(body.smtp);
  return store.transaction(() => {
    const before = readMail(store);
    checkRevision(body, before?.revision ?? 0, 'The mail configuration');
    const needsPassword = settings.SMTPRequiredSecurity === 'True';
    const sent = body.smtp.SMTPPassword ?? '';
    const sealed = sent === '' ? (before?.sealedPassword ?? null) : secrets.seal(secretNames.mail, sent);
    if (needsPassword && (settings.SMTPUserName === '' || sealed === null)) {
      throw refusal('SMTPRequiredSecurity is True: SMTPUserName and SMTPPassword are needed.');
    }
    const moment = now.toISOString();
    store.run(
      `INSERT INTO mail (only, content, sealed_password, created, modified) VALUES (1, ?, ?, ?, ?)
        ON CONFLICT (only) DO UPDATE SET content = excluded.content, sealed_password = excluded.sealed_password,
          modified = excluded.modified, revision = revision + 1`,
      JSON.stringify(settings),
      needsPassword ? sealed : null,
      moment,
      moment,
    );
    context.audit(auditSymbols.change, 'saved mail configuration');
    return mailRecord(readMail(store));
  });
}

function sentSettings(smtp: Smtp): MailSettings {
  const word = (value: string | null | undefined, name: string) => {
    const parsed = words.safeParse((value || 'False').replace(/^./, (letter) => letter.toUpperCase()));
    if (!parsed.success) throw refusal(`${name} must be the text True or False.`);
    return parsed.data;
  };
  const port = smtp.SMTPPort || emptySettings.SMTPPort;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw refusal('SMTPPort must be 1 to 65535.');
  if (!smtp.SMTPHost) throw refusal('SMTPHost is empty.');
  return {
    SMTPHost: smtp.SMTPHost,
    SMTPPort: port,
    SMTPFromAddress: smtp.SMTPFromAddress ?? '',
    SMTPRequiredSecurity: word(smtp.SMTPRequiredSecurity, 'SMTPRequiredSecurity'),
    SMTPUserName: smtp.SMTPUserName ?? '',
    SMTPEnableSSL: word(smtp.SMTPEnableSSL, 'SMTPEnableSSL'),
  };
}

function readMail(store: Store): StoredMail | undefined {
  const row = store.get('SELECT content, sealed_password, created, modified, revision FROM mail');
  if (!row) return undefined;
  return {
    settings: mailSettings.parse(jsonOf(row, 'content')),
    sealedPassword: row.sealed_password instanceof Uint8Array ? row.sealed_password : null,
    created: textOf(row, 'created'),
    modified: textOf(row, 'modified'),
    revision: numberOf(row, 'revision'),
  };
}

/** The mail configuration in its wire form, always without password. API description, SMTP configuration. */
function mailRecord(mail: StoredMail | undefined): Smtp {
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    SMTPId: mail ? mailId : '',
    ...(mail?.settings ?? emptySettings),
    SMTPPassword: '',
    SMTPCreated: mail ? slashedTimestamp(mail.created) : '',
    SMTPModified: mail ? slashedTimestamp(mail.modified) : '',
    SMTPRealm: {
      ErrorCode: 0,
      ErrorMessage: '',
      RealmId: '1',
      RealmName: 'Master',
      RealmDescription: 'Master realm',
      RealmCreated: mail ? slashedTimestamp(mail.created) : '',
      RealmModified: mail ? slashedTimestamp(mail.modified) : '',
      ProviderList: [],
      SMTPSetting: null,
    },
    Revision: mail?.revision ?? 0,
  };
}

const deletedRecord: Smtp = {
  ErrorCode: 0,
  ErrorMessage: null,
  SMTPId: null,
  SMTPHost: null,
  SMTPPort: null,
  SMTPFromAddress: null,
  SMTPRequiredSecurity: null,
  SMTPUserName: null,
  SMTPPassword: null,
  SMTPCreated: null,
  SMTPModified: null,
  SMTPEnableSSL: null,
  SMTPRealm: null,
};
