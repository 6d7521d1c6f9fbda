import { describeGateway } from '../support/gateway-guarantees.js';

describeGateway(
  {
    name: 'nginx',
    path: '/usr/sbin/nginx',
    arguments: ['-p', '.', '-c', 'nginx.conf', '-g', 'daemon off;'],
    files: ['nginx.conf'],
  },
  { passesBodies: false },
);
