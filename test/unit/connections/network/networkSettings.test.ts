import { describe, expect, it } from 'vitest';
import { clientCertificateFor, readProxyAccount } from '../../../../src/connections/network/networkSettings.ts';

describe('the account of a proxy', () => {
  it('is read as it was kept, whatever characters it has', () => {
    const account = { userName: 'ada@corp', password: 'p:@/%"\u{1f511}' };
    expect(readProxyAccount(JSON.stringify(account))).toEqual(account);
  });

  it.each([
    undefined,
    '',
    '{',
    'null',
    '[]',
    '"ada"',
    '{"userName":"ada"}',
    '{"userName":"ada","password":null}',
    '{"userName":1,"password":"p"}',
  ])('is none in %s', (text) => {
    expect(readProxyAccount(text)).toBeUndefined();
  });
});

describe('client certificates', () => {
  const files = { certificate: '/c.pem', key: '/k.pem' };
  const origin = 'https://reports.example.com';

  it.each([origin, `${origin}/`, `${origin}:443/api`, 'reports.example.com', ' REPORTS.example.com '])(
    'are found by the address %s',
    (address) => {
      expect(clientCertificateFor(origin, { [address]: files })).toEqual(files);
    },
  );

  it.each(['https://reports.example.com:8443', 'https://example.com', 'http://reports.example.com', ':', ''])(
    'are not shown to another server than %s',
    (address) => {
      expect(clientCertificateFor(origin, { [address]: files })).toBeUndefined();
    },
  );

  it.each([undefined, null, 'x', [], {}, { [origin]: null }, { [origin]: { certificate: '/c.pem' } }, { [origin]: 1 }])(
    'are none in %j',
    (setting) => {
      expect(clientCertificateFor(origin, setting)).toBeUndefined();
    },
  );
});
