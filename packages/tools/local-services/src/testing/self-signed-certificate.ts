import { generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** Key and certificate of a server, both PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', altNames: '551d11' };

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

function altName(host: string): Buffer {
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)));
  return der(0x82, Buffer.from(host, 'ascii'));
}

/** Creates a self-signed certificate for host names and IPv4 addresses (RFC 5280 section 4.1). */
export function selfSignedCertificate(hosts: readonly string[]): ServerCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, oid(OBJECT_IDENTIFIER.ecdsaWithSha256));
  const commonName = der(SEQUENCE, oid(OBJECT_IDENTIFIER.commonName), der(0x0c, Buffer.from('test')));
  const name = der(SEQUENCE, der(0x31, commonName));
  const validity = der(
    SEQUENCE,
    der(0x17, Buffer.from('200101000000Z')),
    der(0x17, Buffer.from('491231235959Z')),
  );
  const altNames = der(SEQUENCE, ...hosts.map(altName));
  const extension = der(SEQUENCE, oid(OBJECT_IDENTIFIER.altNames), der(0x04, altNames));
  const toBeSigned = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const certificate = der(SEQUENCE, toBeSigned, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}
