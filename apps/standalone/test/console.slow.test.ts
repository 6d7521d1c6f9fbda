import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { expect, it, onTestFinished } from 'vitest';
import { loadStandaloneConfig } from '../src/config.js';
import { welcome } from '../src/welcome.js';
import { startInProcess } from './support/in-process-stack.js';
import { temporaryFolder } from './support/standalone-process.js';
import { openWebBrowser } from './support/web-browser.js';

async function dataFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

it('opens the console for the demonstration users, at an address of its own', async () => {
  const [port, consolePort] = [await freePort(), await freePort()];
  const stack = await startInProcess(await dataFolder(), {
    PORT: String(port),
    CONSOLE_PORT: String(consolePort),
  });
  onTestFinished(stack.stop);
  const origin = `http://localhost:${consolePort}`;
  const roleOf = async (name: string) => {
    const browser = openWebBrowser(`http://localhost:${port}`);
    const back = await browser.logIn(`${origin}/login?to=/session`, name);
    expect(back.origin + back.pathname).toBe(`${origin}/login/callback`);
    await browser.visit(back.href);
    return /<dt>Role<\/dt><dd>(\w+)/.exec(String(await browser.visit(`${origin}/session`)))?.[1];
  };
  expect([await roleOf('alice'), await roleOf('bob')]).toEqual(['admin', 'viewer']);
});

it('starts without the console of the demonstration if its port is in use', async () => {
  const taken = createServer();
  const consolePort = await freePort();
  await new Promise<void>((resolve) => taken.listen(consolePort, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const folder = await dataFolder();
  const settings = { PORT: String(await freePort()), CONSOLE_PORT: String(consolePort) };
  const stack = await startInProcess(folder, settings);
  onTestFinished(stack.stop);
  expect((await fetch(`http://127.0.0.1:${stack.port}/.well-known/openid-configuration`)).status).toBe(200);
  const text = welcome(loadStandaloneConfig({ DATA_DIR: folder, ...settings }), 'port_taken');
  expect(text).toContain(`Console:      off: port ${consolePort} is in use (CONSOLE_PORT sets another)\n`);
});

it('has the console without being asked only while the demonstration users alone can log in here, over the embedded database', async () => {
  const folder = await dataFolder();
  const consoleOf = (settings: Readonly<Record<string, string>>) =>
    loadStandaloneConfig({ DATA_DIR: folder, ...settings }).console;
  expect(consoleOf({})).toMatchObject({
    CONSOLE_URL: 'http://localhost:8087',
    HOST: '127.0.0.1',
    PORT: 8087,
    CONSOLE_ADMIN_VALUES: ['alice'],
    isDemonstration: true,
  });
  for (const settings of [
    { CONSOLE_PORT: '0' },
    { DATABASE_URL: 'postgresql://vestibule@localhost/vestibule' },
    { DEMO_USERS: 'alice:secret' },
    { HOST: '0.0.0.0' },
    { CONSOLE_HOST: '0.0.0.0' },
    { BASE_URL: 'https://id.example' },
    { OPENID_PROVIDER_ENABLED: 'false' },
  ])
    expect(consoleOf(settings), JSON.stringify(settings)).toBeUndefined();
  const databaseFile = join(folder, 'database-url-of-another');
  await writeFile(databaseFile, 'postgresql://vestibule@localhost/vestibule');
  expect(consoleOf({ DATABASE_URL_FILE: databaseFile })).toBeUndefined();
  // An operator who states the address has decided.
  const stated = { DATABASE_URL_FILE: databaseFile, CONSOLE_URL: 'http://localhost:8087' };
  expect(consoleOf(stated)).toMatchObject({ CONSOLE_ADMIN_VALUES: ['admin'], isDemonstration: false });
  expect(consoleOf({ HOST: '0.0.0.0', CONSOLE_URL: 'https://console.example' })).toMatchObject({
    CONSOLE_ADMIN_VALUES: ['admin'],
    CONSOLE_ROLE_CLAIM: 'roles',
    isDemonstration: false,
  });
  expect(() => loadStandaloneConfig({ DATA_DIR: folder, CONSOLE_URL: 'http://console.example' })).toThrow(
    /^CONSOLE_URL: /,
  );
});

it('prints where the console is, and who may log in', async () => {
  const folder = await dataFolder();
  const lineOf = (settings: Readonly<Record<string, string>>) =>
    welcome(loadStandaloneConfig({ DATA_DIR: folder, ...settings }), 'open')
      .split('\n')
      .find((line) => line.startsWith('Console:'));
  expect(lineOf({})).toBe('Console:      http://localhost:8087 (admin: alice, password alice; viewer: bob)');
  expect(lineOf({ CONSOLE_URL: 'https://console.example' })).toBe('Console:      https://console.example');
});
