/** Normalizes a response type: the order of its values has no meaning (RFC 6749 section 3.1.1). */
export function registeredResponseType(responseType: string): string {
  return responseType.split(' ').sort().join(' ');
}
