import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** An attribute of a name: object identifier and value. */
export type TestAttribute = readonly [type: string, value: string];

/** A subject alternative name, by its tag in RFC 5280 section 4.2.1.6. */
export type TestAlternativeName = readonly [tag: number, value: Buffer | string];

/** How a test certificate differs from the default. */
export interface TestCertificate {
  /** The subject from root to leaf. Default: `CN=client`. */
  readonly subject?: readonly (readonly TestAttribute[])[];
  readonly alternativeNames?: readonly TestAlternativeName[];
  /** Tag of the values of the subject. Default: UTF8String. */
  readonly textTag?: number;
}

/** Object identifiers of the attributes in the tests. */
export const OID = {
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  organizationIdentifier: '2.5.4.97',
  domainComponent: '0.9.2342.19200300.100.1.25',
};

/** Tags of alternative names. */
export const NAME_TAG = { email: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, ip: 0x87 };

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';

/** Generates a self-signed certificate, valid from 2020 to 2049, in DER (RFC 5280 section 4.1). */
export function aCertificate(options: TestCertificate = {}): Buffer {
  return aCertificateWithKey(options).der;
}

/** Generates the same with its private key. */
export function aCertificateWithKey({
  subject,
  alternativeNames = [],
  textTag = 0x0c,
}: TestCertificate = {}): { readonly der: Buffer; readonly privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(
    ...(subject ?? [[[OID.commonName, 'client'] as const]]).map((part) => aPart(part, textTag)),
  );
  const validity = sequence(der(0x17, text('200101000000Z')), der(0x17, text('491231235959Z')));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    ...extensions(alternativeNames),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  return { der: sequence(toBeSigned, algorithm, signature), privateKey };
}

function aPart(attributes: readonly TestAttribute[], textTag: number): Buffer {
  return der(0x31, ...attributes.map(([type, value]) => sequence(oid(type), der(textTag, text(value)))));
}

function extensions(names: readonly TestAlternativeName[]): readonly Buffer[] {
  if (names.length === 0) return [];
  const value = sequence(
    ...names.map(([tag, name]) => der(tag, typeof name === 'string' ? text(name) : name)),
  );
  return [der(0xa3, sequence(sequence(oid(SUBJECT_ALTERNATIVE_NAME), der(0x04, value))))];
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): readonly number[] {
  const last = number & 0x7f;
  const before = Math.floor(number / 128);
  return before === 0 ? [last] : [...base128(before).map((byte) => byte | 0x80), last];
}
