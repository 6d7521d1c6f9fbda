package example;

import static example.Http.APP;
import static example.Http.BASE_URL;
import static example.Report.expect;
import static example.Report.step;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.oauth2.sdk.*;
import com.nimbusds.oauth2.sdk.auth.*;
import com.nimbusds.oauth2.sdk.client.ClientDeleteRequest;
import com.nimbusds.oauth2.sdk.client.ClientRegistrationResponse;
import com.nimbusds.oauth2.sdk.client.RegistrationError;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.*;
import com.nimbusds.openid.connect.sdk.*;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.rp.*;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** The examples of the SDK's documentation, by its default HTTP client, which is Java's {@code HttpURLConnection}. */
class Main {
  static final BearerAccessToken MASTER_TOKEN = new BearerAccessToken(Http.MASTER_TOKEN);
  static final URI CALLBACK = URI.create(APP + "/callback");

  static OIDCProviderMetadata op;
  static OIDCClientInformation client, api, keyed;
  static RSAKey key;
  static Tokens tokens;
  static OIDCTokens loggedIn;

  public static void main(String[] args) throws Exception {
    Report.version(OIDCProviderMetadata.class.getPackage().getImplementationVersion());

    step("discovery", () -> op = OIDCProviderMetadata.resolve(new Issuer(BASE_URL)));

    step("register", () -> {
      var metadata = new OIDCClientMetadata();
      metadata.setName("My App");
      metadata.setRedirectionURI(CALLBACK);
      metadata.setPostLogoutRedirectionURIs(Set.of(CALLBACK));
      metadata.setGrantTypes(Set.of(GrantType.AUTHORIZATION_CODE, GrantType.REFRESH_TOKEN));
      client = register(metadata);
      api = register(resourceServer(ClientAuthenticationMethod.CLIENT_SECRET_BASIC));
    });

    step("login", () -> {
      var verifier = new CodeVerifier();
      var nonce = new Nonce();
      var request = authenticationRequest(verifier, nonce).endpointURI(op.getAuthorizationEndpointURI()).build();
      loggedIn = redeem(codeFrom(visit(request.toURI()), request.getState()), verifier);
      idTokenValidator().validate(loggedIn.getIDToken(), nonce);
    });

    step("userinfo", () -> {
      var response = UserInfoResponse.parse(
          new UserInfoRequest(op.getUserInfoEndpointURI(), loggedIn.getAccessToken()).toHTTPRequest().send());
      if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
      var subject = response.toSuccessResponse().getUserInfo().getSubject();
      expect(loggedIn.getIDToken().getJWTClaimsSet().getSubject(), subject.getValue());
    });

    step("introspect", () -> expect(true, introspect(loggedIn.getAccessToken(), basic(api)).isActive()));

    step("refresh", () -> {
      var grant = new RefreshTokenGrant(loggedIn.getRefreshToken());
      loggedIn = OIDCTokenResponse.parse(token(basic(client), grant).toHTTPResponse()).getOIDCTokens();
    });

    step("PAR", () -> {
      var verifier = new CodeVerifier();
      var nonce = new Nonce();
      var request = authenticationRequest(verifier, nonce).build();
      var response = PushedAuthorizationResponse.parse(new PushedAuthorizationRequest(
          op.getPushedAuthorizationRequestEndpointURI(), basic(client), request).toHTTPRequest().send());
      if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
      var address = new AuthorizationRequest.Builder(response.toSuccessResponse().getRequestURI(), client.getID())
          .endpointURI(op.getAuthorizationEndpointURI()).build().toURI();
      redeem(codeFrom(visit(address), request.getState()), verifier);
    });

    step("private_key_jwt", () -> {
      key = new RSAKeyGenerator(2048).keyID("1").generate();
      var metadata = resourceServer(ClientAuthenticationMethod.PRIVATE_KEY_JWT);
      metadata.setJWKSet(new JWKSet(key.toPublicJWK()));
      keyed = register(metadata);
      tokens = clientCredentials(privateKeyJwt(keyed, op.getTokenEndpointURI()));
    });

    step("introspect with private_key_jwt", () -> {
      var authentication = privateKeyJwt(keyed, op.getIntrospectionEndpointURI());
      expect(true, introspect(tokens.getAccessToken(), authentication).isActive());
    });

    step("PAR with private_key_jwt", () -> {
      var metadata = new OIDCClientMetadata();
      metadata.setRedirectionURI(CALLBACK);
      metadata.setTokenEndpointAuthMethod(ClientAuthenticationMethod.PRIVATE_KEY_JWT);
      metadata.setJWKSet(new JWKSet(key.toPublicJWK()));
      var pushing = register(metadata);
      var endpoint = op.getPushedAuthorizationRequestEndpointURI();
      var scope = new Scope("openid");
      var request = new AuthenticationRequest.Builder(ResponseType.CODE, scope, pushing.getID(), CALLBACK);
      var response = PushedAuthorizationResponse.parse(new PushedAuthorizationRequest(
          endpoint, privateKeyJwt(pushing, endpoint), request.build()).toHTTPRequest().send());
      if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
    });

    step("client_secret_jwt", () -> {
      var secretive = register(resourceServer(ClientAuthenticationMethod.CLIENT_SECRET_JWT));
      clientCredentials(new ClientSecretJWT(
          secretive.getID(), op.getTokenEndpointURI(), JWSAlgorithm.HS256, secretive.getSecret()));
    });

    step("validate a JWT access token", () -> {
      var audience = BASE_URL + "/clients/" + api.getID();
      var request = new TokenRequest(op.getTokenEndpointURI(), basic(api), new ClientCredentialsGrant(),
          null, List.of(URI.create(audience)), null);
      var response = TokenResponse.parse(request.toHTTPRequest().send());
      if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
      var processor = new DefaultJWTProcessor<>();
      processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt")));
      processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
          JWSAlgorithm.RS256, JWKSourceBuilder.create(op.getJWKSetURI().toURL()).build()));
      processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
          api.getID().getValue(),
          new JWTClaimsSet.Builder().issuer(op.getIssuer().getValue()).build(),
          Set.of("sub", "iat", "exp", "client_id", "jti")));
      processor.process(response.toSuccessResponse().getTokens().getAccessToken().getValue(), null);
    });

    step("revoke", () -> {
      var response = new TokenRevocationRequest(op.getRevocationEndpointURI(), basic(client), loggedIn.getAccessToken())
          .toHTTPRequest().send();
      if (!response.indicatesSuccess()) throw refused(ErrorObject.parse(response));
      expect(false, introspect(loggedIn.getAccessToken(), basic(api)).isActive());
    });

    step("error responses", () -> {
      var wrong = new ClientSecretBasic(client.getID(), new Secret());
      var grant = new AuthorizationCodeGrant(new AuthorizationCode(), CALLBACK);
      var pushed = authenticationRequest(new CodeVerifier(), new Nonce()).build();
      var token = loggedIn.getAccessToken();
      var metadata = new OIDCClientMetadata();
      metadata.setRedirectionURI(URI.create("http://example.com/callback"));
      expectError(OAuth2Error.INVALID_CLIENT, new TokenRequest(op.getTokenEndpointURI(), wrong, grant));
      expectError(OAuth2Error.INVALID_GRANT, new TokenRequest(op.getTokenEndpointURI(), basic(client), grant));
      expectError(OAuth2Error.INVALID_CLIENT,
          new PushedAuthorizationRequest(op.getPushedAuthorizationRequestEndpointURI(), wrong, pushed));
      expectError(OAuth2Error.INVALID_CLIENT, new TokenRevocationRequest(op.getRevocationEndpointURI(), wrong, token));
      expectError(OAuth2Error.INVALID_CLIENT,
          new TokenIntrospectionRequest(op.getIntrospectionEndpointURI(), wrong, token));
      expectError(BearerTokenError.INVALID_TOKEN,
          new UserInfoRequest(op.getUserInfoEndpointURI(), new BearerAccessToken()));
      expectError(RegistrationError.INVALID_REDIRECT_URI,
          new OIDCClientRegistrationRequest(op.getRegistrationEndpointURI(), metadata, MASTER_TOKEN));
    });

    step("logout", () -> {
      var state = new State();
      var address = new LogoutRequest(op.getEndSessionEndpointURI(), loggedIn.getIDToken(), CALLBACK, state).toURI();
      expect(CALLBACK + "?state=" + state, visit(address).toString());
    });

    step("delete the registration", () -> {
      var response = new ClientDeleteRequest(client.getRegistrationURI(), client.getRegistrationAccessToken())
          .toHTTPRequest().send();
      if (!response.indicatesSuccess()) throw refused(ErrorObject.parse(response));
    });
  }

  static OIDCClientMetadata resourceServer(ClientAuthenticationMethod method) {
    var metadata = new OIDCClientMetadata();
    metadata.setGrantTypes(Set.of(GrantType.CLIENT_CREDENTIALS));
    metadata.setScope(new Scope(op.getIntrospectionEndpointURI().toString()));
    metadata.setTokenEndpointAuthMethod(method);
    return metadata;
  }

  static OIDCClientInformation register(OIDCClientMetadata metadata) throws Exception {
    var request = new OIDCClientRegistrationRequest(op.getRegistrationEndpointURI(), metadata, MASTER_TOKEN);
    ClientRegistrationResponse response = OIDCClientRegistrationResponseParser.parse(request.toHTTPRequest().send());
    if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
    return ((OIDCClientInformationResponse) response).getOIDCClientInformation();
  }

  static AuthenticationRequest.Builder authenticationRequest(CodeVerifier verifier, Nonce nonce) {
    var scope = new Scope("openid", "email", "profile");
    return new AuthenticationRequest.Builder(ResponseType.CODE, scope, client.getID(), CALLBACK)
        .state(new State())
        .nonce(nonce)
        .codeChallenge(verifier, CodeChallengeMethod.S256);
  }

  static AuthorizationCode codeFrom(URI callback, State state) throws Exception {
    var response = AuthenticationResponseParser.parse(callback);
    if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
    expect(state, response.getState());
    return response.toSuccessResponse().getAuthorizationCode();
  }

  static OIDCTokens redeem(AuthorizationCode code, CodeVerifier verifier) throws Exception {
    var grant = new AuthorizationCodeGrant(code, CALLBACK, verifier);
    return OIDCTokenResponse.parse(token(basic(client), grant).toHTTPResponse()).getOIDCTokens();
  }

  static AccessTokenResponse token(ClientAuthentication authentication, AuthorizationGrant grant) throws Exception {
    HTTPResponse response = new TokenRequest(op.getTokenEndpointURI(), authentication, grant).toHTTPRequest().send();
    var parsed = OIDCTokenResponseParser.parse(response);
    if (!parsed.indicatesSuccess()) throw refused(parsed.toErrorResponse().getErrorObject());
    return parsed.toSuccessResponse();
  }

  static Tokens clientCredentials(ClientAuthentication authentication) throws Exception {
    return token(authentication, new ClientCredentialsGrant()).getTokens();
  }

  static TokenIntrospectionSuccessResponse introspect(AccessToken token, ClientAuthentication authentication)
      throws Exception {
    var request = new TokenIntrospectionRequest(op.getIntrospectionEndpointURI(), authentication, token);
    var response = TokenIntrospectionResponse.parse(request.toHTTPRequest().send());
    if (!response.indicatesSuccess()) throw refused(response.toErrorResponse().getErrorObject());
    return response.toSuccessResponse();
  }

  static ClientAuthentication basic(OIDCClientInformation client) {
    return new ClientSecretBasic(client.getID(), client.getSecret());
  }

  static ClientAuthentication privateKeyJwt(OIDCClientInformation client, URI endpoint) throws Exception {
    return new PrivateKeyJWT(client.getID(), endpoint, JWSAlgorithm.RS256, key.toPrivateKey(), key.getKeyID(), null);
  }

  static IDTokenValidator idTokenValidator() throws Exception {
    return new IDTokenValidator(op.getIssuer(), client.getID(), JWSAlgorithm.RS256, op.getJWKSetURI().toURL());
  }

  static URI visit(URI address) throws Exception {
    return URI.create((String) Http.visit(address.toString()).get("url"));
  }

  /** Sends a request that must be refused with an error code and a description of what is wrong. */
  static void expectError(ErrorObject expected, Request request) throws Exception {
    var error = ErrorObject.parse(request.toHTTPRequest().send());
    expect(expected.getCode(), error.getCode());
    if (error.getDescription() == null) throw new IllegalStateException(error.getCode() + " without error_description");
  }

  static Exception refused(ErrorObject error) {
    return new IllegalStateException("error=" + error.getCode() + ", error_description=" + error.getDescription());
  }
}
