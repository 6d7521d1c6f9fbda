import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';
import { reportVersion, step } from './report.mjs';

const { BASE_URL } = process.env;
const run = promisify(execFile);

/** Runs a program of the dependencies; its output contains its errors. */
async function tool(name, ...parameters) {
  await run(`node_modules/.bin/${name}`, parameters).catch(({ stdout, stderr, message }) => {
    throw new Error(`${stdout}${stderr}` || message);
  });
}

reportVersion('openapi-typescript');
await step('generate from the served API documents', async () => {
  for (const service of ['registration', 'introspection', 'authorization'])
    await tool(
      'openapi-typescript',
      `${BASE_URL}/.well-known/openapi/${service}.json`,
      '-o',
      `${service}.ts`,
    );
});
await step('type-check (strict)', () => tool('tsc', '-p', '.'));
cpSync('report.mjs', 'dist/report.mjs');
await import('./dist/program.js');
