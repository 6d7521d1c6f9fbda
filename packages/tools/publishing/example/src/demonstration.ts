import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { aSigner, type Signer, signed } from './samples.js';

const INSPECTOR = fileURLToPath(new URL('inspector.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'inspector-'));

/** Writes a file of the demonstration: strings as they are, other values as JSON. */
function written(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Prints the output of the inspector, which must contain the expected text. */
function show(title: string, expected: string, parameters: readonly string[]): void {
  const output = execFileSync(process.execPath, [INSPECTOR, ...parameters], { encoding: 'utf8' });
  if (!output.includes(expected)) throw new Error(`${title}: ${output}`);
  process.stdout.write(`# ${title}\n${output}\n`);
}

const redirects = { client_name: 'Shop', redirect_uris: ['https://shop.example/callback'] };
const server = aSigner('https://as.example.org');
const anchor = aSigner('https://anchor.example.org');
const relyingParty = aSigner('https://rp.example.com');

function accessToken(audience: string): string {
  const subject = { sub: 'alice', client_id: 'shop', aud: audience, scope: 'read', jti: 'token-1' };
  return signed(server, 'at+jwt', subject);
}

function chainOf(byWhom: Signer): readonly string[] {
  const own = {
    sub: relyingParty.id,
    jwks: relyingParty.jwks,
    authority_hints: [anchor.id],
    metadata: { openid_relying_party: redirects },
  };
  const policy = { openid_relying_party: { contacts: { add: ['ops@anchor.example'] } } };
  const about = { iss: anchor.id, sub: relyingParty.id, jwks: relyingParty.jwks, metadata_policy: policy };
  const kind = 'entity-statement+jwt';
  return [signed(relyingParty, kind, own), signed({ ...byWhom, id: anchor.id }, kind, about)];
}

try {
  const jwks = written('jwks.json', server.jwks);
  const anchors = written('anchors.json', { [anchor.id]: anchor.jwks });
  const ours = written('ours.txt', accessToken('orders-api'));
  show('Metadata that can be registered', '"acceptable": true', [
    'metadata',
    written('good.json', redirects),
  ]);
  show('Metadata that cannot', '"error": "invalid_redirect_uri"', [
    'metadata',
    written('bad.json', { redirect_uris: ['javascript:1'] }),
  ]);
  show('A token for us', '"active": true', ['token', ours, jwks, server.id, 'orders-api']);
  show('The same token, for another API', '"reason": "foreign_audience"', [
    'token',
    ours,
    jwks,
    server.id,
    'other-api',
  ]);
  show('A chain to the anchor', '"trusted": true', [
    'chain',
    written('chain.json', chainOf(anchor)),
    anchors,
  ]);
  show('A chain that someone forged', '"reason": "signature"', [
    'chain',
    written('forged.json', chainOf(relyingParty)),
    anchors,
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
