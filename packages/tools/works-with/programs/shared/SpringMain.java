package example;

import static example.Http.APP;
import static example.Http.BASE_URL;
import static example.Report.expect;
import static example.Report.step;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Registers the clients of the Spring applications, starts each application and uses it. */
class SpringMain {
  public static void main(String[] args) throws Exception {
    Report.version(SpringBootVersion.getVersion());
    login();
    var api = Http.register(Map.of(
        "grant_types", List.of("client_credentials"),
        "scope", BASE_URL + "/token/introspect"));
    resourceServer("opaque", "introspect", api, Map.of("grant_type", "client_credentials"));
    resourceServer("jwt", "validate a JWT access token", api,
        Map.of("grant_type", "client_credentials", "resource", BASE_URL + "/clients/" + api.get("client_id")));
  }

  static void login() throws Exception {
    var client = Http.register(Map.of(
        "client_name", "My App",
        "redirect_uris", List.of(APP + "/login/oauth2/code/vestibule"),
        "post_logout_redirect_uris", List.of(APP),
        "backchannel_logout_uri", APP + "/logout/connect/back-channel/vestibule"));
    var key = new RSAKeyGenerator(2048).keyID("1").generate();
    var machine = Http.register(Map.of(
        "grant_types", List.of("client_credentials"),
        "token_endpoint_auth_method", "private_key_jwt",
        "jwks", new JWKSet(key).toJSONObject()));
    var machineId = "--machine-id=" + machine.get("client_id");
    try (var app = start("login", client, machineId, "--machine-key=" + key.toJSONString())) {
      step("login", SpringMain::signIn);
      step("userinfo", () -> expect("alice@example.com", visit("/email").get("text")));
      step("client_credentials with private_key_jwt", () ->
          expect("client_credentials", visit("/machine").get("text")));
      step("logout", () -> {
        var end = visit("/sign-out");
        expect(APP + "/", end.get("url"));
        expect("Nobody is signed in", end.get("text"));
      });
      step("back-channel logout", () -> {
        signIn();
        Http.visit(BASE_URL + "/logout");
        var text = visit("/").get("text");
        for (int tries = 0; tries < 20 && !"Nobody is signed in".equals(text); tries += 1) {
          Thread.sleep(250);
          text = visit("/").get("text");
        }
        expect("Nobody is signed in", text);
      });
    }
  }

  /** Starts a resource server, and calls it with the token that a request gives and with one that is none. */
  static void resourceServer(String profile, String name, Map<String, Object> api, Map<String, String> request) {
    try (var app = start(profile, api)) {
      var address = "http://localhost:" + app.getEnvironment().getProperty("local.server.port") + "/api";
      step(name, () -> {
        var token = (String) Http.token(api, request).get("access_token");
        var response = get(address, token);
        expect("200 Hello", response.statusCode() + " " + response.body()
            + String.join(" ", response.headers().allValues("WWW-Authenticate")));
        expect(401, get(address, token + "x").statusCode());
      });
    }
  }

  static ConfigurableApplicationContext start(String profile, Map<String, Object> client, String... more) {
    var credentials = Stream.of(
        "--client-id=" + client.get("client_id"), "--client-secret=" + client.get("client_secret"));
    var properties = Stream.concat(credentials, Stream.of(more));
    return new SpringApplicationBuilder(SpringApp.class).profiles(profile).run(properties.toArray(String[]::new));
  }

  static void signIn() throws Exception {
    expect("alice is signed in", visit("/oauth2/authorization/vestibule").get("text"));
  }

  static Map<String, Object> visit(String path) throws Exception {
    return Http.visit(APP + path);
  }

  static HttpResponse<String> get(String address, String token) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(address)).header("Authorization", "Bearer " + token);
    return Http.CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
