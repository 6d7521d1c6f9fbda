import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from '@vestibule/local-services';
import { startTlsWebsite } from '@vestibule/local-services/testing';

/** An https website of client ID metadata documents, which programs in any language put there as files. */
export interface DocumentHost {
  readonly origin: string;
  /** The folder whose files it serves as JSON. */
  readonly folder: string;
  /** The settings with which a stack reaches it and trusts its certificate. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts the website over an empty folder. */
export async function openDocumentHost(toEnd: Closers): Promise<DocumentHost> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-documents-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const website = await startTlsWebsite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', website.origin);
    readFile(join(folder, pathname)).then(
      (document) => response.writeHead(200, { 'content-type': 'application/json' }).end(document),
      () => response.writeHead(404).end(),
    );
  });
  toEnd.add(website.close);
  return {
    origin: website.origin,
    folder,
    settings: { EGRESS_ALLOW_HOSTS: website.host, NODE_EXTRA_CA_CERTS: website.certificateFile },
  };
}
