import { describe, expect, it } from 'vitest';
import { aCertificate, NAME_TAG, OID, type TestCertificate } from '../testing/client-certificates.js';
import { parseClientCertificate } from './client-certificate.js';

const parse = (options?: TestCertificate) =>
  parseClientCertificate(aCertificate(options), { isChainVerified: false });

describe('parseClientCertificate', () => {
  it('reads subject, validity and every kind of alternative name, and keeps the certificate', () => {
    const der = aCertificate({
      subject: [
        [[OID.country, 'DE']],
        [
          [OID.organization, 'Müller, "Söhne" + Co'],
          [OID.commonName, 'a\nb'],
        ],
      ],
      alternativeNames: [
        [NAME_TAG.dns, 'a.example'],
        [NAME_TAG.uri, 'spiffe://example/a'],
        [NAME_TAG.ip, Buffer.from([192, 0, 2, 1])],
        [NAME_TAG.ip, Buffer.from('20010db8000000000000000000000001', 'hex')],
        [NAME_TAG.email, "o'k@a.example"],
      ],
    });
    const certificate = parseClientCertificate(der, { isChainVerified: true });
    expect(certificate).toEqual({
      der,
      isChainVerified: true,
      subject: [
        [{ type: OID.country, value: 'DE' }],
        [
          { type: OID.organization, value: 'Müller, "Söhne" + Co' },
          { type: OID.commonName, value: 'a\nb' },
        ],
      ],
      alternativeNames: [
        { kind: 'dns', value: 'a.example' },
        { kind: 'uri', value: 'spiffe://example/a' },
        { kind: 'ip', value: '192.0.2.1' },
        { kind: 'ip', value: '2001:DB8:0:0:0:0:0:1' },
        { kind: 'email', value: "o'k@a.example" },
      ],
      validFromMs: Date.UTC(2020, 0, 1),
      validToMs: Date.UTC(2049, 11, 31, 23, 59, 59),
    });
  });

  // A printed certificate can show one crafted name as several, or cut it short.
  it('reads one name as one name, whatever it contains', () => {
    const values = [
      'a.example, DNS:b.example',
      'a.example\0.evil.example',
      '"b.example"',
      'a,b',
      'DNS:b.example',
      "'",
    ];
    const names = values.map((value) => [NAME_TAG.uri, value] as const);
    expect(parse({ alternativeNames: names })?.alternativeNames).toEqual(
      values.map((value) => ({ kind: 'uri', value })),
    );
  });

  it('leaves out empty names and names of other kinds', () => {
    const directory = Buffer.from('300e310c300a06035504030c03612c62', 'hex');
    const names = [
      [NAME_TAG.directory, directory],
      [NAME_TAG.dns, ''],
      [NAME_TAG.ip, Buffer.from([1, 2, 3])],
      [NAME_TAG.dns, 'a.example'],
    ] as const;
    const found = parse({ alternativeNames: names })?.alternativeNames ?? [];
    expect(found.filter(({ kind }) => kind === 'dns')).toEqual([{ kind: 'dns', value: 'a.example' }]);
  });

  it('reads a certificate without subject or alternative names', () => {
    expect(parse({ subject: [] })).toMatchObject({ subject: [], alternativeNames: [] });
  });

  it('returns undefined for anything that is not a certificate', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('certificate'), aCertificate().subarray(0, 100)])
      expect(parseClientCertificate(bytes, { isChainVerified: true })).toBeUndefined();
  });
});
