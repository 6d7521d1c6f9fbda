import { TEST_CERTIFICATE, testCertificateDer } from '@vestibule/http/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCheckRequest } from '../../src/ext-authz/check-request.js';
import { checkRequest, type DescribedRequest, encodedCheckRequest } from '../support/envoy.js';

const read = (request: DescribedRequest) => readCheckRequest(encodedCheckRequest(checkRequest(request)));

describe('readCheckRequest', () => {
  it('reads method, host, path with query, and headers', () => {
    const request = read({
      method: 'POST',
      host: 'orders.example:8443',
      path: '/orders/7?a=%2F',
      headers: { ':path': '/orders/7?a=%2F', authorization: 'Bearer a', 'x-any': 'a, b' },
    });
    expect(request).toMatchObject({
      method: 'POST',
      host: 'orders.example:8443',
      url: '/orders/7?a=%2F',
    });
    expect(request?.header('authorization')).toBe('Bearer a');
    expect(request?.header('x-any')).toBe('a, b');
    expect(request?.header('dpop')).toBeUndefined();
    expect(request?.header('constructor')).toBeUndefined();
    expect(request).not.toHaveProperty('clientCertificate');
  });

  it('reads headers that Envoy does not join', () => {
    const request = read({
      rawHeaders: [
        ['authorization', 'Bearer a'],
        ['x-any', '\u00e9'],
        ['x-any', 'b'],
      ],
    });
    expect(request?.header('authorization')).toBe('Bearer a');
    expect(request?.header('x-any')).toEqual(['\u00e9', 'b']);
    expect(request?.header('dpop')).toBeUndefined();
  });

  it.each(['authorization', 'dpop'])('finds several headers %s, whether Envoy joins them or not', (name) => {
    for (const [first, second] of [
      ['Bearer a', 'Bearer b'],
      ['Bearer a', ''],
      ['Basic a', 'Bearer b'],
    ] as const) {
      for (const joint of [',', ', '])
        expect(read({ headers: { [name]: `${first}${joint}${second}` } })?.header(name)).toHaveLength(2);
      const rawHeaders = [
        [name, first],
        [name, second],
      ] as const;
      expect(read({ rawHeaders })?.header(name)).toEqual([first, second]);
    }
  });

  it('reads the certificate of the client', () => {
    const { cert } = TEST_CERTIFICATE;
    expect(read({ certificate: cert })?.clientCertificate?.()).toEqual(testCertificateDer());
    for (const certificate of ['x', '%', cert.slice(0, 400)])
      expect(read({ certificate })?.clientCertificate?.()).toBeUndefined();
  });

  it('reads nothing from a message about no request over HTTP', () => {
    for (const missing of [{ method: '' }, { host: '' }, { path: '' }]) expect(read(missing)).toBeUndefined();
    for (const message of [{}, { attributes: {} }, { attributes: { request: {} } }])
      expect(readCheckRequest(encodedCheckRequest(message))).toBeUndefined();
  });

  it('throws nothing, whatever the bytes', () => {
    const whole = encodedCheckRequest(checkRequest({ headers: { authorization: 'Bearer a' } }));
    for (let length = 0; length < whole.length; length += 1) readCheckRequest(whole.subarray(0, length));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readCheckRequest(bytes)));
    const place = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (places) => {
        const bytes = Buffer.from(whole);
        for (const [index, value] of places) bytes[index] = value;
        const request = readCheckRequest(bytes);
        request?.header('authorization');
        request?.clientCertificate?.();
      }),
    );
  });
});
