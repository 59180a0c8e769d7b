import type { Row } from '../store/store.ts';
import { type SecretBox, secretNames } from './secretBox.ts';

/** A secret of the state, encrypted. */
export interface StoredSecret {
  /** What it belongs to, such as 'database server Sales'. */
  owner: string;
  /** Name that it was encrypted for. */
  name: string;
  sealed: Uint8Array;
  /** Statement and values that remove it. */
  removal: readonly [sql: string, ...values: string[]];
}

/** All secrets of a state; `all` returns the rows of a query. */
export function storedSecrets(all: (sql: string) => Row[]): StoredSecret[] {
  const servers = all(`SELECT id, sealed_password AS sealed, coalesce(definition ->> '$.DisplayName', '') AS name
    FROM registered_server WHERE sealed_password NOT NULL`);
  const found = servers.map((row) => {
    const id = String(row.id);
    const removal = ['UPDATE registered_server SET sealed_password = NULL WHERE id = ?', id] as const;
    const owner = `database server ${String(row.name) || id}`;
    return { owner, name: secretNames.server(id), sealed: row.sealed, removal };
  });
  const [mail] = all('SELECT sealed_password AS sealed FROM mail');
  const [settings] = all("SELECT content ->> '$.mfa_clientsecret' AS sealed FROM settings");
  const secondFactor = typeof settings?.sealed === 'string' ? Buffer.from(settings.sealed, 'base64') : undefined;
  const others = [
    {
      ...{ owner: 'mail server', name: secretNames.mail, sealed: mail?.sealed },
      removal: ['UPDATE mail SET sealed_password = NULL'] as const,
    },
    {
      ...{ owner: 'client secret of the second factor', name: secretNames.secondFactor, sealed: secondFactor },
      removal: ["UPDATE settings SET content = json_set(content, '$.mfa_clientsecret', '')"] as const,
    },
  ];
  return [...found, ...others].flatMap(({ sealed, ...rest }) =>
    sealed instanceof Uint8Array && sealed.length > 0 ? [{ ...rest, sealed }] : [],
  );
}

/** Whether a secret was encrypted with another key, or is damaged. */
export function isForeign({ name, sealed }: StoredSecret, box: SecretBox): boolean {
  try {
    box.open(name, sealed);
    return false;
  } catch {
    return true;
  }
}
