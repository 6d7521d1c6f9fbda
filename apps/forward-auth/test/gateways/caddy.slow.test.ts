import { describeGateway } from '../support/gateway-guarantees.js';

describeGateway(
  {
    name: 'Caddy',
    path: '/usr/bin/caddy',
    arguments: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
    files: ['Caddyfile'],
  },
  { passesBodies: true },
);
