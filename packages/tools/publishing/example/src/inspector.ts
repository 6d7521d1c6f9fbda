import { readFileSync } from 'node:fs';
import process from 'node:process';
import { inspectChain } from './inspect-chain.js';
import { inspectMetadata } from './inspect-metadata.js';
import { inspectToken } from './inspect-token.js';

const USAGE = `inspector metadata <client.json>
inspector token <token.txt> <jwks.json> <issuer> <client id of the resource server>
inspector chain <chain.json> <anchors.json>
`;

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

async function inspect([command, file = '', ...rest]: readonly string[]): Promise<object | undefined> {
  const [other = '', issuer = '', caller = ''] = rest;
  switch (command) {
    case 'metadata':
      return inspectMetadata(json(file));
    case 'token':
      return inspectToken(readFileSync(file, 'utf8').trim(), { jwks: json(other), issuer, caller });
    case 'chain':
      return inspectChain(json(file), json(other));
    default:
      return undefined;
  }
}

const found = await inspect(process.argv.slice(2));
process.stdout.write(found === undefined ? USAGE : `${JSON.stringify(found, null, 2)}\n`);
if (found === undefined) process.exitCode = 2;
