import { describeGateway } from '../support/gateway-guarantees.js';

describeGateway(
  {
    name: 'HAProxy',
    path: '/usr/sbin/haproxy',
    arguments: ['-db', '-f', 'haproxy.cfg'],
    files: ['haproxy.cfg', 'forward-auth.lua'],
  },
  { passesBodies: true },
);
