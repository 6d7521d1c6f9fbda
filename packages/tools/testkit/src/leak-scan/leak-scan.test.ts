import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scanFiles } from './scan-files.js';
import { controlText, requireNoLeaks } from './scan-services.js';
import { isUnmistakable, readNotes, writeNote } from './secret-notes.js';

const PIECE_BYTES = 1 << 22;

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-scan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function aNote(kind = 'client_secret') {
  return { kind, test: 'a test', secret: randomBytes(32).toString('base64url') };
}

it('finds a secret anywhere, in every encoding, next to any text, and no other secret', () => {
  const folder = aFolder();
  const notes = Array.from({ length: 2_000 }, () => aNote());
  const [leaked = aNote()] = notes;
  const bytes = Buffer.from(leaked.secret);
  for (const text of [
    leaked.secret,
    bytes.toString('hex'),
    bytes.toString('base64url'),
    `Y${leaked.secret}x`,
  ]) {
    for (const at of [
      0,
      1,
      8_191,
      PIECE_BYTES - text.length,
      PIECE_BYTES - 20,
      PIECE_BYTES - 1,
      PIECE_BYTES,
    ]) {
      const file = join(folder, 'file');
      writeFileSync(file, Buffer.concat([Buffer.alloc(at, 'x'), Buffer.from(text), randomBytes(50)]));
      expect(scanFiles(notes, [folder]), `${text.length} at ${at}`).toEqual([{ note: leaked, file }]);
    }
  }
});

it('finds nothing in digests, in parts of a secret, and in missing files', () => {
  const folder = aFolder();
  const { secret, ...note } = aNote();
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'file'), [secret.slice(1), secret.slice(0, -1), randomBytes(9_999)].join(' '));
  expect(scanFiles([{ secret, ...note }], [folder, join(folder, 'missing')])).toEqual([]);
});

it('names the kind and place of a secret in clear, never the secret, and rejects a scan without its control', () => {
  const folder = aFolder();
  const files = {
    secretsFile: join(folder, 'notes'),
    postgresDirectory: join(folder, 'cluster', 'data'),
    redisDump: join(folder, 'dump.rdb'),
  };
  const [stored, kept, control] = [aNote('id_token'), aNote(), controlText()];
  for (const note of [stored, kept, stored]) writeNote(files.secretsFile, note);
  expect(readNotes(files.secretsFile)).toEqual([stored, kept]);
  mkdirSync(files.postgresDirectory, { recursive: true });
  const table = join(files.postgresDirectory, '1');
  expect(() => requireNoLeaks(files, control)).toThrow('the scan did not look at what Postgres holds');
  writeFileSync(table, control);
  expect(() => requireNoLeaks(files, control)).toThrow('the scan did not look at what Redis holds');
  writeFileSync(files.redisDump, control);
  expect(() => requireNoLeaks(files, control)).not.toThrow();
  for (const file of [table, files.redisDump, join(folder, 'postgres.log')]) {
    writeFileSync(file, `${control} ${stored.secret}`);
    expect(() => requireNoLeaks(files, control)).toThrow(
      `secrets stand in clear:\n  id_token of "a test" in ${file}`,
    );
    writeFileSync(file, control);
  }
});

it('ignores text that could occur by accident', () => {
  expect(isUnmistakable(aNote().secret)).toBe(true);
  for (const text of ['', 'short', 'x'.repeat(43), 'ab'.repeat(20), `${aNote().secret} `])
    expect(isUnmistakable(text)).toBe(false);
});
