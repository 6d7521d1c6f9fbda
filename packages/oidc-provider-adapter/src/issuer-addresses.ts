/**
 * Makes a provider build addresses and cookies for its issuer, whatever host and forwarded headers a request has. So
 * requests cannot change the addresses in its responses, and behind a gateway it trusts no header.
 */
export function useIssuerAddresses({ request }: { readonly request: object }, issuer: string): void {
  const { protocol, host, origin } = new URL(issuer);
  const values = { protocol: protocol.slice(0, -1), host, origin, href: `${origin}/` };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(request, name, { get: () => value, configurable: true });
}
