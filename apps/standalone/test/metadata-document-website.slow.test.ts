import { closers } from '@vestibule/local-services';
import { startTlsWebsite, type TlsWebsite } from '@vestibule/local-services/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';
import { openWebBrowser } from './support/web-browser.js';

const CALLBACK = 'https://app.example/cb';
const toEnd = closers();
let website: TlsWebsite;
let untrusted: TlsWebsite;
let stack: Standalone;

/** Starts a website with a document at every path. */
async function aWebsite(): Promise<TlsWebsite> {
  const started = await startTlsWebsite(({ url }, response) => {
    const document = {
      client_id: `${started.origin}${url}`,
      client_name: 'An app',
      redirect_uris: [CALLBACK],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  toEnd.add(started.close);
  return started;
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  toEnd.add(folder.remove);
  website = await aWebsite();
  untrusted = await aWebsite();
  stack = await startStandalone(folder.path, {
    CLIENT_ID_METADATA_DOCUMENTS: 'any',
    METADATA_DOCUMENT_URIS: 'any',
    EGRESS_ALLOW_HOSTS: `${website.host},${untrusted.host}`,
    NODE_EXTRA_CA_CERTS: website.certificateFile,
  });
  toEnd.add(async () => void (await stack.stop()));
});

afterAll(() => toEnd.closeAll());

const loginAt = ({ origin }: TlsWebsite) => {
  const query = new URLSearchParams({
    client_id: `${origin}/client.json`,
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  return `${stack.baseUrl}/authorize?${query}`;
};

it('logs in at the client of a document that a website serves over https', async () => {
  const address = await openWebBrowser(stack.baseUrl).logIn(loginAt(website));
  expect(`${address.origin}${address.pathname}`).toBe(CALLBACK);
  expect(address.searchParams.get('code')).toMatch(/./);
});

it('shows the host of the document before the login', async () => {
  expect(await openWebBrowser(stack.baseUrl).visit(loginAt(website))).toContain(website.host);
});

it('refuses the document of a website whose certificate it does not trust', async () => {
  const page = await openWebBrowser(stack.baseUrl).visit(loginAt(untrusted));
  expect(page).toContain('could not be fetched');
});
