import { join } from 'node:path';
import { runCommand } from '@vestibule/local-services';
import { expect, it } from 'vitest';
import { DOCKER_FOLDER } from '../src/repository.js';

const promtool = await runCommand('promtool', ['--version']);

it.skipIf(promtool.exitCode !== 0).each([
  ['check', 'config', join(DOCKER_FOLDER, 'prometheus/prometheus.yml')],
  ['check', 'rules', join(DOCKER_FOLDER, 'prometheus/alerts.yml')],
  ['test', 'rules', join(import.meta.dirname, 'alerts.promtool.yaml')],
])('accepts the settings of Prometheus and the alerts: promtool %s %s', async (...words) => {
  const { exitCode, output } = await runCommand('promtool', words);
  expect([exitCode, output]).toEqual([0, expect.anything()]);
});
