import { misused } from './command-failure.js';

/**
 * Reads a stream completely.
 * @throws CommandFailure if it is larger than `maxBytes`
 */
export async function readInput(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) throw misused(`Standard input is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
