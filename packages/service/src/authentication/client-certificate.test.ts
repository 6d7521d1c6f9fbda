import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createServer as createFastify } from '@vestibule/http';
import { NAMED_AS_A_THUMBPRINT, TEST_CERTIFICATE, testCertificateDer } from '@vestibule/http/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CertificateHeader,
  type ClientCertificateReading,
  clientCertificateReader,
} from './client-certificate.js';

const DER = testCertificateDer();
const THUMBPRINT = createHash('sha256').update(DER).digest('base64url');
const THUMBPRINT_HEX = Buffer.from(THUMBPRINT, 'base64url').toString('hex');
const RFC9440 = `:${DER.toString('base64')}:`;
const PEM = encodeURIComponent(TEST_CERTIFICATE.cert);
const SECRET = 'a-secret-that-proxies-have-and-others-do-not';
const HEADER = {
  name: 'Client-Cert',
  format: 'rfc9440',
  isChainVerified: true,
  proof: {
    kind: 'secret',
    header: 'Client-Cert-Proof',
    digest: createHash('sha256').update(SECRET).digest(),
  },
} as const;
const PROXY = '10.0.0.7';

/** Reads the client certificate of a request with this header at a service behind one proxy. */
async function read(
  value: string | readonly string[] | undefined,
  {
    from = PROXY,
    header = HEADER,
    proof = SECRET,
  }: {
    from?: string;
    header?: CertificateHeader | null;
    proof?: string | readonly string[] | undefined | null;
  } = {},
): Promise<ClientCertificateReading> {
  const reader = clientCertificateReader({
    trustedProxies: ['10.0.0.0/24', 'fd00::/8'],
    ...(header && { header }),
  });
  const app = createFastify({ logger: false });
  onTestFinished(() => app.close());
  let reading: ClientCertificateReading | undefined;
  app.get('/', (incoming, reply) => {
    reading = reader(incoming.raw);
    reply.send();
  });
  await app.inject({
    url: '/',
    remoteAddress: from,
    headers: {
      ...(value !== undefined && { 'client-cert': value as string }),
      ...(proof !== null && { 'client-cert-proof': proof as string }),
    },
  });
  return reading ?? { kind: 'refused', reason: 'the request did not arrive' };
}

const PRESENTED = {
  kind: 'presented',
  certificate: {
    der: DER,
    thumbprint: THUMBPRINT,
    validFromMs: Date.UTC(2020, 0, 1),
    validToMs: Date.UTC(2049, 11, 31, 23, 59, 59),
    isChainVerified: true,
  },
};
const NOT_TRUSTED = { kind: 'refused', reason: 'the header came from a peer that is not trusted' };

const UNPROVEN = { kind: 'refused', reason: 'the header came without the proof of a proxy' };

describe('from the address of a trusted proxy', () => {
  it('refuses a certificate without the secret of the proxy, and one with several', async () => {
    const wrong = [null, '', `${SECRET}x`, SECRET.slice(1), SECRET.toUpperCase(), [SECRET, SECRET]];
    for (const proof of wrong) expect(await read(RFC9440, { proof }), String(proof)).toEqual(UNPROVEN);
    expect(await read(RFC9440)).toEqual(PRESENTED);
    expect(await read(undefined, { proof: null })).toEqual({ kind: 'none' });
  });

  it('refuses a certificate without TLS if the proxy must authenticate with mutual TLS', async () => {
    const header = { ...HEADER, proof: { kind: 'mutual-tls', proxies: [THUMBPRINT_HEX] } } as const;
    expect(await read(RFC9440, { header })).toEqual(UNPROVEN);
  });
});

describe('from a trusted proxy', () => {
  it('reads one certificate in the configured format', async () => {
    expect(await read(RFC9440)).toEqual(PRESENTED);
    const pem = { ...HEADER, format: 'pem' } as const;
    for (const text of [
      PEM,
      PEM.replaceAll('%0A', '%0D%0A'),
      PEM.replace(/%0A$/, ''),
      PEM.replaceAll('%2B', '+'),
    ])
      expect(await read(text, { header: pem }), text).toEqual(PRESENTED);
  });

  it('recognizes the proxy by its address in every notation', async () => {
    for (const from of ['10.0.0.255', '::ffff:10.0.0.1', 'fd00::1'])
      expect(await read(RFC9440, { from }), from).toEqual(PRESENTED);
  });

  it('reports whether the proxy verifies chains, as configured', async () => {
    const header = { ...HEADER, isChainVerified: false };
    expect(await read(RFC9440, { header })).toMatchObject({ certificate: { isChainVerified: false } });
  });

  it('treats a missing or empty header as no certificate', async () => {
    for (const value of [undefined, '']) expect(await read(value)).toEqual({ kind: 'none' });
  });

  it('refuses everything except exactly one certificate in that format', async () => {
    const base64 = DER.toString('base64');
    const values = [
      PEM,
      base64,
      `:${base64}`,
      `:${base64}:;a=1`,
      `:${base64}:, :${base64}:`,
      `:${base64.slice(4)}:`,
      `:${base64.slice(0, -4)}:`,
      `:${DER.toString('base64url')}_-:`,
      `:${Buffer.concat([DER, Buffer.from([0])]).toString('base64')}:`,
      `:${Buffer.concat([DER, DER]).toString('base64')}:`,
      `:${Buffer.from(TEST_CERTIFICATE.cert).toString('base64')}:`,
      ': :',
      '::',
      ':%%%:',
      'x',
    ];
    for (const value of values) expect(await read(value), value).toMatchObject({ kind: 'refused' });
    const pem = { ...HEADER, format: 'pem' } as const;
    const encoded = [
      RFC9440,
      TEST_CERTIFICATE.cert.replaceAll('\n', ' '),
      TEST_CERTIFICATE.cert.replaceAll('\n', '\\n'),
      `${PEM}${PEM}`,
      encodeURIComponent(PEM),
      encodeURIComponent(TEST_CERTIFICATE.key),
      `x${PEM}`,
      '%E0%A4%A',
      '%',
    ];
    for (const value of encoded)
      expect(await read(value, { header: pem }), value).toMatchObject({ kind: 'refused' });
  });

  it('refuses a repeated header, even with the same certificate', async () => {
    expect(await read([RFC9440, RFC9440])).toEqual({
      kind: 'refused',
      reason: 'the header came more than once',
    });
  });

  it('never throws', async () => {
    const reader = clientCertificateReader({ header: HEADER, trustedProxies: [PROXY] });
    const socket = { remoteAddress: PROXY };
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `:${text}:`),
        ),
        (value) => {
          const incoming = { socket, rawHeaders: ['Client-Cert', value] } as unknown as IncomingMessage;
          expect(['none', 'refused']).toContain(reader(incoming).kind);
        },
      ),
    );
  });
});

describe('from any other peer', () => {
  // Certificates are public, so a client could send the certificate of another client.
  it('refuses the header, whatever it contains', async () => {
    for (const value of [RFC9440, PEM, '', 'x'])
      for (const from of ['127.0.0.1', '10.0.1.1', '::1', '::ffff:10.0.1.1', 'garbage'])
        expect(await read(value, { from }), from).toEqual(NOT_TRUSTED);
  });

  it('ignores headers that name a trusted address', async () => {
    const reader = clientCertificateReader({ header: HEADER, trustedProxies: [PROXY] });
    const rawHeaders = ['X-Forwarded-For', PROXY, 'Forwarded', `for=${PROXY}`, 'client-cert', RFC9440];
    const incoming = { socket: { remoteAddress: '192.0.2.1' }, rawHeaders } as unknown as IncomingMessage;
    expect(reader(incoming)).toEqual(NOT_TRUSTED);
  });

  it('ignores a header that is not configured', async () => {
    expect(await read(RFC9440, { header: null })).toEqual({ kind: 'none' });
  });
});

describe('on a TLS connection that ends at the service', () => {
  async function overTls(
    trustedProxies: readonly string[],
    isShown: boolean,
  ): Promise<ClientCertificateReading> {
    const reader = clientCertificateReader({ header: HEADER, trustedProxies });
    const { key, cert } = TEST_CERTIFICATE;
    let reading: ClientCertificateReading | undefined;
    const options = { key, cert, requestCert: true, rejectUnauthorized: false };
    const server = createServer(options, (incoming, response) => {
      reading = reader(incoming);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve, reject) => {
      const shown = isShown ? { key, cert } : {};
      request({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false, ...shown }, resolve)
        .on('error', reject)
        .end();
    });
    server.close();
    return reading ?? { kind: 'refused', reason: 'the request did not arrive' };
  }

  // Node reports such a connection as authorized.
  it('does not authenticate a proxy by a session resumed without a certificate', async () => {
    const header = { ...HEADER, proof: { kind: 'mutual-tls', proxies: [THUMBPRINT_HEX] } } as const;
    const reader = clientCertificateReader({ header, trustedProxies: ['127.0.0.1'] });
    const { key, cert } = TEST_CERTIFICATE;
    const readings: ClientCertificateReading[] = [];
    const options = { key, cert, requestCert: true, rejectUnauthorized: false };
    const server = createServer(options, (incoming, response) => {
      readings.push(reader(incoming));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    // Keeps TLS sessions, but no connections.
    const agent = new Agent({ rejectUnauthorized: false });
    const headers = { 'client-cert': RFC9440 };
    const isResumed = () =>
      new Promise<boolean>((resolve, reject) => {
        request({ port, host: '127.0.0.1', agent, headers }, (response) => {
          const { socket } = response;
          response.resume().on('end', () => resolve(socket instanceof TLSSocket && socket.isSessionReused()));
        })
          .on('error', reject)
          .end();
      });
    expect([await isResumed(), await isResumed()]).toEqual([false, true]);
    expect(readings).toEqual([UNPROVEN, UNPROVEN]);
  });

  // It chains to the authority that is trusted for clients, like every client certificate.
  it('authenticates a proxy only by the certificates of the proxies', async () => {
    const requested = async (
      proxies: readonly string[],
      { isTrusted = true, isShown = true, certificate = TEST_CERTIFICATE } = {},
    ) => {
      const { key, cert } = certificate;
      const header = { ...HEADER, proof: { kind: 'mutual-tls', proxies } } as const;
      const reader = clientCertificateReader({ header, trustedProxies: ['127.0.0.1'] });
      let reading: ClientCertificateReading | undefined;
      const ca = isTrusted ? [cert] : [];
      const server = createServer(
        { key, cert, ca, requestCert: true, rejectUnauthorized: false },
        (incoming, response) => {
          reading = reader(incoming);
          response.end();
        },
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const headers = { 'client-cert': RFC9440 };
      await new Promise((resolve, reject) => {
        const shown = isShown ? { key, cert } : {};
        request(
          { port, host: '127.0.0.1', rejectUnauthorized: false, agent: false, headers, ...shown },
          resolve,
        )
          .on('error', reject)
          .end();
      });
      server.close();
      return reading;
    };
    for (const proxies of [[THUMBPRINT_HEX], ['client.example'], ['other.example', 'client.example']])
      expect(await requested(proxies), proxies.join()).toEqual(PRESENTED);
    const others = [
      THUMBPRINT_HEX.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      'egress test',
      'example',
    ];
    for (const proxy of ['', 'other.example', 'a.client.example', ...others])
      expect(await requested([proxy]), proxy).toEqual(UNPROVEN);
    expect(await requested([])).toEqual(UNPROVEN);
    expect(await requested([NAMED_AS_A_THUMBPRINT.name], { certificate: NAMED_AS_A_THUMBPRINT })).toEqual(
      UNPROVEN,
    );
    expect(await requested([THUMBPRINT_HEX], { isTrusted: false })).toEqual(UNPROVEN);
    expect(await requested([THUMBPRINT_HEX], { isShown: false })).toEqual(UNPROVEN);
  });

  it('reads the certificate of the handshake as unverified', async () => {
    const certificate = { ...PRESENTED.certificate, isChainVerified: false };
    expect(await overTls([], true)).toEqual({ kind: 'presented', certificate });
    expect(await overTls([], false)).toEqual({ kind: 'none' });
  });

  // The certificate of the proxy itself.
  it('does not treat the certificate of a trusted proxy as a client certificate', async () => {
    expect(await overTls(['127.0.0.1'], true)).toEqual({ kind: 'none' });
  });
});

it('has a valid certificate for these tests', () => {
  expect(new X509Certificate(DER).fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
    Buffer.from(THUMBPRINT, 'base64url').toString('hex'),
  );
});
