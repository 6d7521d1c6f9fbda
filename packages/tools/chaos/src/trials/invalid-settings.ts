import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../test-environment/root.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { ServiceName } from '../traffic/traffics.js';
import { ledgerlessResult } from './ledger-result.js';
import type { Trial, TrialResult } from './trial.js';

/** An invalid setting. */
export interface InvalidSetting {
  readonly service: ServiceName;
  readonly key: string;
  /** Absent for a missing setting. */
  readonly value?: string;
}

/** A value that no message may show. */
export const CANARY = 'canary-that-is-secret';
const MAX_CPU_MS = 1_000;

const every = (
  services: readonly ServiceName[],
  key: string,
  ...values: readonly (string | undefined)[]
): readonly InvalidSetting[] =>
  services.flatMap((service) =>
    values.map((value) => ({ service, key, ...(value !== undefined && { value }) })),
  );

/** Thirty invalid settings across all services. */
export const INVALID_SETTINGS: readonly InvalidSetting[] = [
  ...every(['registration', 'introspection'], 'BASE_URL', undefined, `http://${CANARY}.example`, CANARY),
  ...every(['logout', 'authorization'], 'DATABASE_URL', undefined, `mysql://root:${CANARY}@db/x`),
  ...every(['registration', 'federation'], 'ENCRYPTION_KEYS', undefined, CANARY, 'A'.repeat(43)),
  ...every(['authorization'], 'MASTER_TOKEN_SHA256', undefined, CANARY),
  ...every(['introspection'], 'REDIS_URL', `http://:${CANARY}@redis`, `redis://${CANARY}@redis`),
  ...every(['logout'], 'PORT', 'http', '65536'),
  ...every(['introspection'], 'SHUTDOWN_DRAIN_MS', '-1', '9000'),
  ...every(['registration'], 'TRUSTED_PROXIES', `${CANARY}/8`),
  ...every(['registration'], 'LOG_LEVEL', 'loud'),
  ...every(['authorization'], 'ACCESS_TOKEN_SIGNING_ALG', 'none'),
  ...every(['federation'], 'FEDERATION_TRUST_ANCHORS', CANARY),
  ...every(['authorization'], 'DEMO_USERS', `alice:${CANARY}`),
  ...every(['registration'], 'DATABASE_POOL_SIZE', '0'),
];

/** Services are started with invalid settings. */
export const INVALID_SETTINGS_TRIAL: Trial = {
  id: 'invalid-settings',
  title: `services are started with ${INVALID_SETTINGS.length} invalid settings, one after the other`,
  run: (testEnvironment) => refuseAll(testEnvironment, INVALID_SETTINGS),
};

/** Starts a service with each of these, and checks its output and exit code. */
export async function refuseAll(
  { postgres, installation }: TestEnvironment,
  settings: readonly InvalidSetting[],
): Promise<TrialResult> {
  const environment = {
    ...installation.environment,
    DATABASE_URL: postgres.url(installation.database),
    FEDERATION_ENABLED: 'true',
    MASTER_TOKEN_SHA256: 'a'.repeat(64),
  };
  const problems: string[] = [];
  let slowestMs = 0;
  // In sequence: parallel processes on two cores share CPU caches and use more CPU time.
  for (const { service, key, value } of settings) {
    const { [key]: _without, ...others } = environment as Readonly<Record<string, string>>;
    const ended = await startToEnd(service, { ...others, ...(value !== undefined && { [key]: value }) });
    slowestMs = Math.max(slowestMs, ended.cpuMs);
    problems.push(...problemsOf(ended, key).map((problem) => `${service} with ${key} ${problem}`));
  }
  return ledgerlessResult({
    remarks: [`${settings.length} refused`, `at most ${Math.round(slowestMs)} ms of CPU time`],
    problems,
  });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly cpuMs: number;
}

function problemsOf({ code, output, cpuMs }: Ended, key: string): readonly string[] {
  return [
    ...(code === null || code === 0 ? [`exited with ${code}`] : []),
    ...(output.includes(CANARY) ? ['shows the value'] : []),
    ...(new RegExp(`^ {2}${key}: `, 'm').test(output) ? [] : ['does not name the setting']),
    ...(cpuMs > MAX_CPU_MS ? [`took ${Math.round(cpuMs)} ms of CPU time`] : []),
  ];
}

/** The shell reports the CPU time of its child, which does not depend on other load of the machine. */
const TIMED = '"$@"; code=$?; times >&2; exit $code';
const TIMES = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

function startToEnd(service: ServiceName, environment: Readonly<Record<string, string>>): Promise<Ended> {
  const program = join(ROOT, 'apps', service, 'dist', 'server.js');
  const env = { PATH: '/usr/bin:/bin', HOST: '127.0.0.1', MANAGEMENT_PORT: '0', ...environment };
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', TIMED, 'sh', process.execPath, program], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once('error', reject);
    child.once('close', (code) => {
      const [, m1 = 0, s1 = 0, m2 = 0, s2 = 0] = (TIMES.exec(output) ?? []).map(Number);
      resolve({ code, output, cpuMs: (60 * (m1 + m2) + s1 + s2) * 1000 });
    });
  });
}
