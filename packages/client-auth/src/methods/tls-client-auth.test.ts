import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { assertionFixture } from '../testing/assertion-fixture.js';
import { REFUSED } from '../testing/authenticate-by-assertion.js';
import {
  aClientCertificate,
  authenticateByCertificate,
  registerCertificateClient,
} from '../testing/authenticate-by-certificate.js';
import { NAME_TAG, OID, type TestCertificate } from '../testing/client-certificates.js';

const SUBJECT: TestCertificate['subject'] = [
  [[OID.country, 'DE']],
  [[OID.organization, 'Rs, Inc']],
  [[OID.commonName, 'rs1']],
];
const FULL: TestCertificate = {
  subject: SUBJECT,
  alternativeNames: [
    [NAME_TAG.dns, 'Other.example'],
    [NAME_TAG.dns, 'Rs1.example'],
    [NAME_TAG.dns, '*.rs1.example'],
    [NAME_TAG.uri, 'spiffe://example/rs1'],
    [NAME_TAG.ip, Buffer.from([192, 0, 2, 1])],
    [NAME_TAG.ip, Buffer.from('20010db8000000000000000000000001', 'hex')],
    [NAME_TAG.email, 'Rs@Rs1.example'],
  ],
};

async function fixture(metadata: JsonObject) {
  const { deps, register, clock } = await assertionFixture();
  const client = registerCertificateClient({ register }, 'tls_client_auth', metadata);
  return { deps, client, clock };
}

async function isAccepted(metadata: JsonObject, certificate = aClientCertificate(FULL)): Promise<boolean> {
  const { deps, client } = await fixture(metadata);
  const attempt = authenticateByCertificate(deps, certificate);
  return attempt.then(
    (found) => {
      expect(found).toEqual({ client, method: 'tls_client_auth' });
      return true;
    },
    (error) => {
      expect(error).toMatchObject(REFUSED);
      return false;
    },
  );
}

describe('tls_client_auth (RFC 8705 section 2.1)', () => {
  it('authenticates a client by its registered subject, in any of the five forms', async () => {
    const good: JsonObject[] = [
      { tls_client_auth_subject_dn: 'CN=rs1,O=Rs\\, Inc,C=DE' },
      { tls_client_auth_subject_dn: 'cn=rs1, 2.5.4.10=Rs\\2C Inc, C=DE' },
      { tls_client_auth_san_dns: 'rs1.example' },
      { tls_client_auth_san_dns: 'RS1.EXAMPLE' },
      { tls_client_auth_san_dns: '*.rs1.example' },
      { tls_client_auth_san_uri: 'spiffe://example/rs1' },
      { tls_client_auth_san_ip: '192.0.2.1' },
      { tls_client_auth_san_ip: '2001:db8::1' },
      { tls_client_auth_san_ip: '2001:0DB8:0000::0001' },
      { tls_client_auth_san_email: 'Rs@rs1.EXAMPLE' },
    ];
    for (const metadata of good) expect(await isAccepted(metadata), JSON.stringify(metadata)).toBe(true);
  });

  it('refuses every other subject', async () => {
    const bad: JsonObject[] = [
      { tls_client_auth_subject_dn: 'C=DE,O=Rs\\, Inc,CN=rs1' },
      { tls_client_auth_subject_dn: 'CN=rs1' },
      { tls_client_auth_subject_dn: 'CN=RS1,O=Rs\\, Inc,C=DE' },
      { tls_client_auth_subject_dn: 'CN=rs1,O=Rs, Inc,C=DE' },
      { tls_client_auth_subject_dn: 'rs1' },
      { tls_client_auth_subject_dn: '' },
      { tls_client_auth_san_dns: 'a.rs1.example' },
      { tls_client_auth_san_dns: 'example' },
      { tls_client_auth_san_dns: 'rs1' },
      { tls_client_auth_san_dns: '192.0.2.1' },
      { tls_client_auth_san_dns: '' },
      { tls_client_auth_san_uri: 'spiffe://example/rs1/' },
      { tls_client_auth_san_uri: 'spiffe://EXAMPLE/rs1' },
      { tls_client_auth_san_ip: '192.0.2.2' },
      { tls_client_auth_san_ip: '192.0.2.01' },
      { tls_client_auth_san_ip: '2001:db8::2' },
      { tls_client_auth_san_ip: 'rs1.example' },
      { tls_client_auth_san_email: 'rs@rs1.example' },
      { tls_client_auth_san_email: 'Rs@other.example' },
    ];
    for (const metadata of bad) expect(await isAccepted(metadata), JSON.stringify(metadata)).toBe(false);
  });

  it('compares a name only with names of its own kind', async () => {
    const value = 'a.example';
    const certificate = aClientCertificate({ alternativeNames: [[NAME_TAG.uri, value]] });
    expect(await isAccepted({ tls_client_auth_san_uri: value }, certificate)).toBe(true);
    for (const member of ['dns', 'ip', 'email'])
      expect(await isAccepted({ [`tls_client_auth_san_${member}`]: value }, certificate), member).toBe(false);
    const commonName = aClientCertificate({ subject: [[[OID.commonName, value]]] });
    expect(await isAccepted({ tls_client_auth_san_dns: value }, commonName)).toBe(false);
  });

  // A name that a certificate authority signed as one must not be read as several.
  it('treats a name that contains other names as one name', async () => {
    const values = [
      'evil.example, DNS:rs1.example',
      'rs1.example\0.evil.example',
      'rs1.example\n',
      ' rs1.example',
    ];
    for (const value of values) {
      const certificate = aClientCertificate({ alternativeNames: [[NAME_TAG.dns, value]] });
      expect(await isAccepted({ tls_client_auth_san_dns: 'rs1.example' }, certificate), value).toBe(false);
    }
    for (const value of ['evil\nCN=rs1', 'rs1\0', 'rs1 ', ' rs1', 'rs1\u00a0', 'evil + CN=rs1']) {
      const certificate = aClientCertificate({ subject: [[[OID.commonName, value]]] });
      expect(await isAccepted({ tls_client_auth_subject_dn: 'CN=rs1' }, certificate), value).toBe(false);
    }
  });

  it('never treats two malformed IP addresses as equal', async () => {
    const certificate = aClientCertificate({ alternativeNames: [[NAME_TAG.ip, Buffer.from([1, 2, 3])]] });
    for (const tls_client_auth_san_ip of ['1.2.3', '', ':', '<invalid length=3>'])
      expect(await isAccepted({ tls_client_auth_san_ip }, certificate)).toBe(false);
  });

  it('requires exactly one registered subject', async () => {
    const dns = { tls_client_auth_san_dns: 'rs1.example' };
    expect(await isAccepted({})).toBe(false);
    expect(await isAccepted({ ...dns, tls_client_auth_san_ip: '192.0.2.1' })).toBe(false);
    expect(await isAccepted({ ...dns, tls_client_auth_san_ip: '192.0.2.9' })).toBe(false);
    expect(await isAccepted({ tls_client_auth_san_dns: ['rs1.example'] })).toBe(false);
  });

  it('requires a certificate of a trusted authority, within its validity', async () => {
    const dns = { tls_client_auth_san_dns: 'rs1.example' };
    const untrusted = aClientCertificate(FULL, { isChainVerified: false });
    expect(await isAccepted(dns, untrusted)).toBe(false);
    const { deps, clock } = await fixture(dns);
    const certificate = aClientCertificate(FULL);
    const at = async (ms: number) => {
      clock.advanceSeconds((ms - clock.nowMs()) / 1000);
      return authenticateByCertificate(deps, certificate).then(
        () => true,
        () => false,
      );
    };
    expect([await at(Date.UTC(2019, 11, 31, 23, 59, 59)), await at(Date.UTC(2020, 0, 1))]).toEqual([
      false,
      true,
    ]);
    expect([await at(certificate.validToMs), await at(certificate.validToMs + 1)]).toEqual([true, false]);
    for (const broken of [{ validFromMs: Number.NaN }, { validToMs: Number.NaN }])
      expect(await isAccepted(dns, { ...certificate, ...broken })).toBe(false);
  });
});
