import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { originalLocations } from './original-locations.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'original-locations-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

it('finds the original module of a bundled function, and keeps locations without a source map', () => {
  const dist = folder();
  // Column three of the fourth line is the start of the module.
  const map = { version: 3, sources: ['../packages/tokens/dist/a.js'], names: [], mappings: ';;;EAAA' };
  writeFileSync(join(dist, 'server.js.map'), JSON.stringify(map));
  const original = originalLocations();
  const bundled = pathToFileURL(join(dist, 'server.js')).href;
  expect(original({ url: bundled, lineNumber: 3, columnNumber: 4 })).toEqual({
    url: pathToFileURL(join(dist, '../packages/tokens/dist/a.js')).href,
    lineNumber: 0,
    columnNumber: 0,
  });
  for (const url of [pathToFileURL(join(dist, 'other.js')).href, 'node:internal/crypto/hash', '']) {
    const location = { url, lineNumber: 3, columnNumber: 4 };
    expect(original(location)).toEqual(location);
  }
});
