import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import protobuf from 'protobufjs';

const require = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));

/** The interface definition that Envoy publishes, and what it imports, in a package of the gRPC project. */
const FOLDERS = ['envoy-api', 'xds', 'googleapis', 'protoc-gen-validate'].map((name) =>
  join(folderOf('@grpc/grpc-js-xds'), 'deps', name),
);
const AUTHORIZATION_FILE = 'envoy/service/auth/v3/external_auth.proto';

/** The interface definition of health checks, in another one. */
const HEALTH_FILE = join(folderOf('grpc-health-check'), 'proto', 'health', 'v1', 'health.proto');

/** Every published message and enumeration. */
export function publishedTypes(): protobuf.Root {
  const root = new protobuf.Root();
  // Imports are relative to these folders; the last one has the definitions of protobuf itself.
  const folders = [...FOLDERS, folderOf('protobufjs')];
  root.resolvePath = (_origin, target) =>
    folders.map((folder) => join(folder, target)).find((file) => existsSync(file)) ?? target;
  return root.loadSync([AUTHORIZATION_FILE, HEALTH_FILE], { keepCase: true });
}

type AnyMethod = MethodDefinition<object, object>;

/** A published method, with its encoding of requests and responses. */
export function publishedMethod(
  service: 'envoy.service.auth.v3.Authorization' | 'grpc.health.v1.Health',
): AnyMethod {
  const options = { keepCase: true, includeDirs: FOLDERS, enums: String, defaults: true };
  const definition = loadSync([AUTHORIZATION_FILE, HEALTH_FILE], options)[service] as ServiceDefinition;
  const method = definition['Check'];
  if (method === undefined) throw new TypeError(`${service} has no method Check`);
  return method;
}
