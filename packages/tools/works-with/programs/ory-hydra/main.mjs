// Joins Ory Hydra as packages/guides/join-ory-hydra.md says.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { walkGuide } from './guide-walk.mjs';

const [, version] = /ory\/hydra\/v2 v(\S+)/.exec(readFileSync('go.mod', 'utf8'));
await walkGuide('join-ory-hydra', { version, environment: { WALKED_HYDRA: process.cwd() } });
