import * as z from 'zod';
import type { ProxyTarget } from '../../client/http/target.ts';

/** Account for a proxy. */
export type ProxyAccount = NonNullable<ProxyTarget['credentials']>;

const proxyAccount: z.ZodType<ProxyAccount> = z.object({ userName: z.string(), password: z.string() });

const certificateFiles = z.object({ certificate: z.string().min(1), key: z.string().min(1) });

/** The files of a client certificate. */
export type ClientCertificateFiles = z.infer<typeof certificateFiles>;

/** Reads a proxy account from secret storage; undefined when its format is invalid. */
export function readProxyAccount(text: string | undefined): ProxyAccount | undefined {
  if (text === undefined) return undefined;
  try {
    return proxyAccount.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * The client certificate that a user configured for the server at `origin`. Servers are specified by address, with
 * `https` as the default scheme; invalid entries are ignored, because the settings editor already marks them.
 */
export function clientCertificateFor(origin: string, setting: unknown): ClientCertificateFiles | undefined {
  const entries = z.record(z.string(), z.unknown()).safeParse(setting).data ?? {};
  const found = Object.entries(entries).find(([address]) => originOf(address) === origin);
  return certificateFiles.safeParse(found?.[1]).data;
}

function originOf(address: string): string | undefined {
  const typed = address.trim();
  const full = typed.includes('://') ? typed : `https://${typed}`;
  return URL.canParse(full) ? new URL(full).origin : undefined;
}
