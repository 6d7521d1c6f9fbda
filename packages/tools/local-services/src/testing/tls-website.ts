import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

/** A website on this machine, over https. */
export interface TlsWebsite {
  /** Its host and port. */
  readonly host: string;
  readonly origin: string;
  /** File with the certificate, for `NODE_EXTRA_CA_CERTS` of a process that trusts it. */
  readonly certificateFile: string;
  close(): Promise<void>;
}

/** Starts a website at `https://localhost` with a port and a certificate of its own. */
export async function startTlsWebsite(respond: RequestListener): Promise<TlsWebsite> {
  const certificate = selfSignedCertificate(['localhost']);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-website-'));
  const certificateFile = join(folder, 'certificate.pem');
  await writeFile(certificateFile, certificate.cert);
  const port = await freePort();
  const server = createServer(certificate, respond);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    host: `localhost:${port}`,
    origin: `https://localhost:${port}`,
    certificateFile,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
