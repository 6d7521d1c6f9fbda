/** A live access token and the subject of its response. */
export interface IssuedToken {
  readonly token: string;
  readonly subject: string;
}
