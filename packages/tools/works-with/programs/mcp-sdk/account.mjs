import { randomUUID } from 'node:crypto';
import { ensure, visit } from './report.mjs';

/** What the SDK needs to know for OAuth, and the browser of one person. */
export class Account {
  /** @param clientMetadataUrl the client ID metadata document; without it the SDK registers the client */
  constructor(clientMetadata, clientMetadataUrl) {
    this.clientMetadata = clientMetadata;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    [this.redirectUrl] = clientMetadata.redirect_uris;
    this.session = randomUUID();
  }

  state() {
    this.expectedState = randomUUID();
    return this.expectedState;
  }

  clientInformation() {
    return this.client;
  }

  saveClientInformation(client) {
    this.client = client;
  }

  tokens() {
    return this.saved;
  }

  saveTokens(tokens) {
    this.saved = tokens;
  }

  invalidateCredentials() {
    this.saved = undefined;
  }

  saveDiscoveryState(state) {
    this.discovered = state;
  }

  discoveryState() {
    return this.discovered;
  }

  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }

  codeVerifier() {
    return this.verifier;
  }

  redirectToAuthorization(url) {
    this.authorizationUrl = url;
  }

  /** Logs in at the address that the SDK asked for, and resolves with the code. */
  async logIn() {
    const { url, text } = await this.open(this.authorizationUrl);
    const parameters = new URL(url).searchParams;
    ensure(parameters.has('code'), `the browser ended at ${url}: ${text}`);
    ensure(parameters.get('state') === this.expectedState, 'the state is another');
    return parameters.get('code');
  }

  /** Opens an address in the browser of this person, who agrees to everything. */
  open(url) {
    return visit(url, { session: this.session });
  }
}
