import { parseAllowedHosts } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { EgressFault } from './egress-fault.js';
import { parseTarget } from './target.js';

const noHosts = parseAllowedHosts([]);

function refusal(url: string, allowed = noHosts): string | undefined {
  try {
    parseTarget(url, allowed);
    return undefined;
  } catch (error) {
    if (error instanceof EgressFault && error.reason === 'blocked') return error.details.detail;
    throw error;
  }
}

describe('parseTarget', () => {
  it('accepts https URLs of public hosts, with path and query', () => {
    const target = parseTarget('https://RP.Example.com/keys?x=1', noHosts);
    expect(target).toMatchObject({ host: 'rp.example.com', port: 443, isLiteral: false, listed: false });
    expect(target.url.href).toBe('https://rp.example.com/keys?x=1');
    expect(parseTarget('https://[2606:2800:21f::1]:8443/', noHosts)).toMatchObject({
      host: '2606:2800:21f::1',
      port: 8443,
      isLiteral: true,
    });
  });

  it('refuses every scheme but https', () => {
    const schemes = [
      'data:application/json,{}',
      'file:///etc/passwd',
      'blob:https://a.example/1',
      'ftp://a.example',
    ];
    const others = [
      'gopher://a.example:70/',
      'ws://a.example',
      'javascript:1',
      'https:a.example',
      '//a.example',
      '',
    ];
    for (const url of [...schemes, ...others, 'http://rp.example.com/', 'HTTP://rp.example.com/']) {
      expect([url, refusal(url)]).toEqual([url, 'scheme']);
    }
  });

  it('refuses every spelling of an address that is not public', () => {
    const hosts = `127.0.0.1 2130706433 0x7f.1 0x7f000001 0177.0.0.1 127.1 %31%32%37.0.0.1 127.0.0.1. 0 0.0.0.0
      [::ffff:127.0.0.1] [::ffff:7f00:1] [::] [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]
      [2001:0:7f00:1::] [fd00::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [::ffff:0:7f00:1] 169.254.169.254
      100.100.100.200 192.0.0.192 168.63.129.16 10.0.0.1 172.31.255.255 192.168.0.1 198.19.0.1 224.0.0.1
      255.255.255.255 3232235521 0xa9.0xfe.0xa9.0xfe`;
    for (const host of hosts.split(/\s+/)) {
      const url = `https://${host}/`;
      expect([url, refusal(url)]).toEqual([url, 'address']);
    }
  });

  it('refuses names that are not public, and names with a trailing dot', () => {
    const names = ['localhost', 'LOCALHOST', 'a.localhost', 'redis', 'db.internal', 'x.home.arpa', 'x.onion'];
    for (const name of [...names, 'printer.local', 'localhost.', 'rp.example.com.', 'x.test', 'x.invalid']) {
      expect([name, refusal(`https://${name}/`)]).toEqual([name, 'name']);
    }
    expect(refusal('https://localhost.example.com/')).toBeUndefined();
  });

  it('refuses user names, fragments and characters that parsers treat differently', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['https://user@rp.example.com/', 'userinfo'],
      ['https://user:secret@rp.example.com/', 'userinfo'],
      ['https://@rp.example.com/', 'userinfo'],
      ['https://a.example@b.example@rp.example.com/', 'userinfo'],
      ['https://rp.example.com/#', 'fragment'],
      ['https://rp.example.com/#a', 'fragment'],
      ['https://rp.example.com\\@127.0.0.1/', 'syntax'],
      ['https://rp.example.com/a b', 'syntax'],
      ['https://rp.example.com/\n', 'syntax'],
      ['https://rp.exam\tple.com/', 'syntax'],
      ['https://räksmörgås.example/', 'syntax'],
      ['https://①②⑦.0.0.1/', 'syntax'],
      ['https://', 'syntax'],
      ['https://rp.example.com:99999/', 'syntax'],
      ['https://[::1%25lo]/', 'syntax'],
      [`https://rp.example.com/${'a'.repeat(2048)}`, 'length'],
    ];
    for (const [url, rule] of cases) expect([url, refusal(url)]).toEqual([url, rule]);
    expect(refusal('https://rp.example.com/@name')).toBeUndefined();
  });

  it('refuses the ports of other services', () => {
    for (const port of [0, 21, 22, 25, 53, 80, 389, 1023, 2375, 3306, 5432, 6379, 9200, 11211, 27017]) {
      expect([port, refusal(`https://rp.example.com:${port}/`)]).toEqual([port, 'port']);
    }
    for (const port of [443, 1024, 8443, 9443, 65535]) {
      expect([port, refusal(`https://rp.example.com:${port}/`)]).toEqual([port, undefined]);
    }
  });

  it('exempts listed hosts from the address rules, exactly as they are listed', () => {
    const allowed = parseAllowedHosts(['localhost', '127.0.0.1:9000', '[::1]:9001', 'redis.local:6379']);
    const open = [
      'http://localhost/',
      'https://localhost:8443/',
      'http://LOCALHOST:3000/',
      'http://127.0.0.1:9000/',
    ];
    for (const url of [
      ...open,
      'http://[::1]:9001/',
      'http://2130706433:9000/',
      'http://redis.local:6379/',
    ]) {
      expect([url, refusal(url, allowed)]).toEqual([url, undefined]);
      expect(parseTarget(url, allowed).listed).toBe(true);
    }
    expect(refusal('http://127.0.0.1:9001/', allowed)).toBe('scheme');
    expect(refusal('https://127.0.0.1:9001/', allowed)).toBe('address');
    expect(refusal('https://a.localhost/', allowed)).toBe('name');
    expect(refusal('http://localhost.example.com/', allowed)).toBe('scheme');
  });

  it('does not allow the ports of other services for a host that is listed without a port', () => {
    const allowed = parseAllowedHosts(['localhost']);
    for (const port of [22, 25, 6379]) expect(refusal(`https://localhost:${port}/`, allowed)).toBe('port');
  });

  it('applies the syntax rules to listed hosts too', () => {
    const allowed = parseAllowedHosts(['localhost']);
    expect(refusal('http://user@localhost/', allowed)).toBe('userinfo');
    expect(refusal('http://localhost/#a', allowed)).toBe('fragment');
    expect(refusal('http://localhost./', allowed)).toBe('name');
    expect(refusal('ftp://localhost/', allowed)).toBe('scheme');
  });
});
