import { describeGateway } from '../support/gateway-guarantees.js';

// Debian has no package of it; that of its publishers installs it there.
const ENVOY = '/usr/bin/envoy';

for (const [protocol, file, usesGrpc] of [
  ['gRPC', 'envoy-grpc.yaml', true],
  ['HTTP', 'envoy-http.yaml', false],
] as const)
  describeGateway(
    {
      name: `Envoy over ${protocol}`,
      path: ENVOY,
      arguments: [
        '--config-path',
        file,
        '--use-dynamic-base-id',
        '--concurrency',
        '1',
        '--log-level',
        'warn',
      ],
      files: [file],
      usesGrpc,
    },
    { passesBodies: true },
  );
