/** A response type as it is registered: the order of its values means nothing (RFC 6749 section 3.1.1). */
export function registeredResponseType(responseType: string): string {
  return responseType.split(' ').sort().join(' ');
}
