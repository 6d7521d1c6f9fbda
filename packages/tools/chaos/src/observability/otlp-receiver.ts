import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received span. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
}

/** A collector of traces. */
export interface OtlpReceiver {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** All received bytes. */
  bytes(): Buffer;
  close(): Promise<void>;
}

/** Starts a collector that reads OTLP over HTTP in protobuf. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      spans.push(...readSpans(body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    bytes: () => Buffer.concat(bodies),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `ExportTraceServiceRequest` of opentelemetry-proto: resources, scopes, spans. */
function readSpans(request: Buffer): ReceivedSpan[] {
  return parts(request, 1).flatMap((resourceSpans) => {
    const attributes = parts(resourceSpans, 1).flatMap((resource) => parts(resource, 1));
    const name = attributes.find((attribute) => text(attribute, 1) === 'service.name');
    const service = name === undefined ? '' : text(parts(name, 2)[0] ?? Buffer.alloc(0), 1);
    const scopes = parts(resourceSpans, 2);
    return scopes
      .flatMap((scope) => parts(scope, 2))
      .map((span) => ({
        service,
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        name: text(span, 5),
      }));
  });
}

function text(message: Buffer, field: number): string {
  return parts(message, field)[0]?.toString() ?? '';
}

function hex(message: Buffer, field: number): string {
  return parts(message, field)[0]?.toString('hex') ?? '';
}

/** The values of one length-delimited field; other fields are skipped (Protocol Buffers Encoding). */
function parts(message: Buffer, field: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const wire = key % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const end = varint() + at;
      if (Math.floor(key / 8) === field) found.push(message.subarray(at, end));
      at = end;
    }
  }
  return found;
}
